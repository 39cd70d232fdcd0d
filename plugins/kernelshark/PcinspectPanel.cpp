// SPDX-License-Identifier: GPL-2.0-only
/*
 * PcinspectPanel.cpp - draws what PcinspectPlot.cpp has worked out.
 *
 * Why: everything that touches OpenGL is here, through KernelShark's own
 * functions (libkshark-plot): the plugin needs neither Qt nor GL itself.
 */
#include <algorithm>
#include <cmath>

#include "PcinspectPanel.hpp"

namespace pcinspect {

namespace {

/* The inodes' own colours, in order of appearance. */
const Color palette[] = {
	{ 31, 119, 180 }, { 44, 150, 40 },  { 140, 86, 75 },  { 0, 150, 160 },
	{ 150, 140, 20 }, { 200, 90, 160 }, { 70, 70, 150 },  { 110, 60, 20 },
};

/* The font of the row's own words; needs the GL context, hence no sooner. */
const ksplot_font *font()
{
	static ksplot_font f;
	static bool tried, loaded;

	if (!tried)
		loaded = ksplot_init_font(&f, 13, TT_FONT_FILE);
	tried = true;
	return loaded ? &f : nullptr;
}

int widthOf(const ksplot_font *f, const std::string &text)
{
	float width = 0;

	for (char c : text)
		if (c >= KS_SPACE_CHAR && c <= KS_TILDA_CHAR)
			width += f->cdata[c - KS_SPACE_CHAR].xadvance;
	return std::ceil(width);
}

} // namespace

/**
 * cachedColor() - an inode's own colour
 * @inode: its index, in order of appearance
 *
 * Return: the colour; those of the ninth inode and the first are the same.
 */
Color cachedColor(size_t inode)
{
	return palette[inode % (sizeof(palette) / sizeof(palette[0]))];
}

/**
 * mixed() - a lighter or darker colour
 * @c: the colour
 * @percent: how much of it remains
 * @other: the grey it is mixed with: 0 is black, 255 is white
 *
 * Return: the mixture.
 */
Color mixed(Color c, int percent, int other)
{
	auto mix = [=](int v) { return (v * percent + other * (100 - percent)) / 100; };

	return { (uint8_t)mix(c.red), (uint8_t)mix(c.green), (uint8_t)mix(c.blue) };
}

/**
 * activeColor() - the colour of an inode's active pages
 * @inode: its index, in order of appearance
 *
 * Return: the inode's own colour, darker.
 */
Color activeColor(size_t inode)
{
	return mixed(cachedColor(inode), 55, 0);
}

void Panel::_draw(const KsPlot::Color &, float) const
{
	const ksplot_font *f = font();
	int x = _x;

	for (const Part &p : _parts) {
		if (p.filled)
			ksplot_draw_polygon(p.points.data(), p.points.size(),
					    &p.color, 1);
		else
			ksplot_draw_polyline(p.points.data(), p.points.size(),
					     &p.color, p.width);
	}
	for (const Word &w : _words) {
		if (!f)
			break;
		int width = widthOf(f, w.text);

		if (x + width > _right)
			break;
		ksplot_print_text(f, &w.color, x, _y, w.text.c_str());
		x += width;
	}
}

/*
 * A number over time. There is no line along the floor, where it is zero: it
 * would hide another that is not.
 */
void Panel::curve(const Points &points, int floor, Color c, bool dash)
{
	Points part;

	auto draw = [&]() {
		if (part.size() < 2)
			return;
		if (dash)
			dashed(part, c, 2);
		else
			line(part, c, 2);
	};

	for (const ksplot_point &p : points) {
		if (!part.empty() && part.back().y == floor && p.y == floor) {
			draw();
			part.clear();
		}
		part.push_back(p);
	}
	draw();
}

/* 5 pixels on, 4 off, whatever the slope. */
void Panel::dashed(const Points &points, Color c, float width)
{
	double at = 0;

	for (size_t i = 1; i < points.size(); i++) {
		double dx = points[i].x - points[i - 1].x;
		double dy = points[i].y - points[i - 1].y;
		double length = std::hypot(dx, dy);

		for (double done = 0; done < length;) {
			bool on = std::fmod(at, 9) < 5;
			double step = std::min(length - done,
					       (on ? 5 : 9) - std::fmod(at, 9));
			auto point = [&](double d) {
				return ksplot_point{
					(int)std::lround(points[i - 1].x + dx * d / length),
					(int)std::lround(points[i - 1].y + dy * d / length) };
			};

			step = std::max(step, 0.5);
			if (on)
				line({ point(done), point(std::min(done + step, length)) },
				     c, width);
			done += step;
			at += step;
		}
	}
}

} // namespace pcinspect
