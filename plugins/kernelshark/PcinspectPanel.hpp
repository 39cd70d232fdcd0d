/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * PcinspectPanel.hpp - one row's picture, in pixels, and the colours in it.
 *
 * Why: KernelShark takes shapes and draws them whenever it likes. A row's many
 * lines, boxes and words are one shape for it, so that they keep their order,
 * from back to front, and cost it nothing.
 */
#ifndef PCINSPECT_PANEL_HPP
#define PCINSPECT_PANEL_HPP

#include <string>
#include <vector>

#include <KsPlotTools.hpp>

namespace pcinspect {

using Color = ksplot_color;
using Points = std::vector<ksplot_point>;

constexpr Color windowColor = { 160, 172, 185 };
constexpr Color expandedColor = { 90, 100, 115 };
constexpr Color dirtyColor = { 230, 120, 0 };
constexpr Color refaultColor = { 220, 20, 60 };
constexpr Color fsyncColor = { 148, 0, 211 };
constexpr Color textColor = { 70, 70, 70 };

Color cachedColor(size_t inode);
Color activeColor(size_t inode);
Color mixed(Color c, int percent, int other);

/* All that is drawn in one row, from back to front. */
class Panel : public KsPlot::PlotObject {
public:
	Panel(int left, int right, int above) : _x(left), _right(right), _y(above) {}

	void box(int x0, int y0, int x1, int y1, Color c)
	{
		_parts.push_back({ { { x0, y0 }, { x1, y0 }, { x1, y1 }, { x0, y1 } },
				   c, 0, true });
	}

	void line(Points points, Color c, float width)
	{
		_parts.push_back({ std::move(points), c, width, false });
	}

	void curve(const Points &points, int floor, Color c, bool dash);

	void text(const std::string &words, Color c)
	{
		_words.push_back({ words, c });
	}

private:
	struct Part {
		Points points;
		Color color;
		float width;
		bool filled;
	};
	struct Word {
		std::string text;
		Color color;
	};

	std::vector<Part> _parts;
	std::vector<Word> _words;
	int _x, _right, _y;

	void dashed(const Points &points, Color c, float width);
	void _draw(const KsPlot::Color &, float) const override;
};

} // namespace pcinspect

#endif
