// SPDX-License-Identifier: GPL-2.0-only
/*
 * PcinspectPlot.cpp - the drawing half of the KernelShark plugin.
 *
 * Why: KernelShark asks for the shapes of each row (a CPU's, a task's, or the
 * row of an inode, see pcinspect.h) whenever the view changes. Here the events
 * that belong to the row become one shape, a Panel, of at most a few lines for
 * each column of pixels.
 *
 * A row of an inode has its pages as areas, the row of a CPU or a task the
 * curves of the inodes for which something happened there. docs/kernelshark.md
 * explains each colour; tests/kernelshark/run looks for them.
 */
#include <algorithm>
#include <cmath>
#include <map>

#include <KsPlugins.hpp>

#include "PcinspectPanel.hpp"
#include "pcinspect.h"

namespace {

using namespace pcinspect;
using List = std::vector<const pcinspect_ks_event *>;

constexpr size_t maxCurves = 4;	/* in the row of a CPU or a task */
constexpr int refaultMax = 7;	/* height of the marks, in pixels */

/* One row: which events it has, and where in it they are. */
class Row {
public:
	Row(KsCppArgV *argv, const pcinspect_ks_context *ctx, int val, int action);
	Panel *panel();

private:
	using Curve = std::vector<Points>;

	const kshark_trace_histo *_histo;
	const pcinspect_ks_context *_ctx;
	int _val, _action;
	ssize_t _own = -1;		/* the inode whose row it is */
	int _left, _right, _top, _bottom;
	std::vector<size_t> _shown;	/* inodes that have curves */
	List _events[PCINSPECT_KS_KINDS];	/* those in view */
	List _samples;
	int64_t _full = 1, _tallest = 1;	/* pages: the row; a window */
	Panel *_panel = nullptr;

	bool here(const pcinspect_ks_event &e) const;
	bool shown(size_t inode) const;
	void choose();
	void collect();
	int x(int64_t ts) const;
	int y(int64_t pages) const;
	Curve curve(size_t inode, int field) const;
	void areas(size_t inode, int field, Color c) const;
	void curves(size_t inode) const;
	void windows() const;
	void refaults() const;
	void fsyncs() const;
	void legend() const;
};

Row::Row(KsCppArgV *argv, const pcinspect_ks_context *ctx, int val, int action)
	: _histo(argv->_histo), _ctx(ctx), _val(val), _action(action)
{
	KsPlot::Graph *graph = argv->_graph;

	_left = graph->bin(0)._base.x();
	_right = graph->bin(graph->size() - 1)._base.x();
	_top = graph->base() - graph->height();
	_bottom = graph->base() - 2;
	if (action & KSHARK_TASK_DRAW)
		for (size_t i = 0; i < ctx->n_inodes; i++)
			if (ctx->inodes[i].pid == val)
				_own = i;
	if (_own < 0) /* KernelShark's own boxes stay visible. */
		_bottom = graph->base() - graph->height() * 3 / 10 - 1;
}

bool Row::here(const pcinspect_ks_event &e) const
{
	if (_own >= 0)
		return (ssize_t)e.inode == _own;
	return _val == (_action & KSHARK_CPU_DRAW ? e.entry->cpu : e.entry->pid);
}

bool Row::shown(size_t inode) const
{
	return std::find(_shown.begin(), _shown.end(), inode) != _shown.end();
}

/* Which inodes have curves: those with most events here that are not samples. */
void Row::choose()
{
	std::vector<size_t> count(_ctx->n_inodes);
	bool any = false;

	if (_own >= 0) {
		_shown.push_back(_own);
		return;
	}
	for (int kind : { PCINSPECT_KS_WINDOW, PCINSPECT_KS_REFAULT,
			  PCINSPECT_KS_FSYNC, PCINSPECT_KS_SAMPLE }) {
		const pcinspect_ks_list &list = _ctx->events[kind];

		/* Who only looked: what it looked at. */
		if (kind == PCINSPECT_KS_SAMPLE && any)
			break;
		for (size_t i = 0; i < list.n; i++)
			if (here(list.v[i])) {
				count[list.v[i].inode]++;
				any = true;
			}
	}
	for (size_t i = 0; i < count.size(); i++)
		if (count[i])
			_shown.push_back(i);
	std::stable_sort(_shown.begin(), _shown.end(),
			 [&](size_t i, size_t j) { return count[i] > count[j]; });
	if (_shown.size() > maxCurves)
		_shown.resize(maxCurves);
}

/* The events in view; and the scales, which do not change with the view. */
void Row::collect()
{
	for (int kind = 0; kind < PCINSPECT_KS_KINDS; kind++) {
		const pcinspect_ks_list &list = _ctx->events[kind];

		for (size_t i = 0; i < list.n; i++) {
			const pcinspect_ks_event &e = list.v[i];

			if (!(e.entry->visible & KS_GRAPH_VIEW_FILTER_MASK))
				continue;
			if (kind == PCINSPECT_KS_SAMPLE) {
				if (!shown(e.inode))
					continue;
				_samples.push_back(&e);
				_full = std::max({ _full, e.field[PCINSPECT_KS_CACHED],
						   e.field[PCINSPECT_KS_DIRTY] });
				continue;
			}
			if (!here(e))
				continue;
			if (kind == PCINSPECT_KS_WINDOW)
				_tallest = std::max(_tallest,
						    e.field[PCINSPECT_KS_INSERTED]);
			int64_t start = e.entry->ts;
			if (kind != PCINSPECT_KS_REFAULT)
				start -= e.field[PCINSPECT_KS_DURATION];
			if (e.entry->ts >= _histo->min && start <= _histo->max)
				_events[kind].push_back(&e);
		}
	}
}

int Row::x(int64_t ts) const
{
	double span = std::max<double>(1, _histo->max - _histo->min);
	double at = (ts - _histo->min) / span;

	return _left + std::lround(std::clamp(at, 0.0, 1.0) * (_right - _left));
}

int Row::y(int64_t pages) const
{
	double part = (double)std::clamp<int64_t>(pages, 0, _full) / _full;

	/* The marks of refaults are above. */
	return _bottom - std::lround(part * (_bottom - _top - refaultMax + 1));
}

/*
 * The points of a number over time, at most four in a column of pixels: first,
 * lowest, highest, last. A sample that does not know it ends a stretch.
 */
Row::Curve Row::curve(size_t inode, int field) const
{
	struct { int x = -1, first, low, high, last; } at;
	const pcinspect_ks_event *before = nullptr;
	Points points;
	Curve out;

	auto add = [&](int px, int py) {
		if (points.empty() || points.back().x != px || points.back().y != py)
			points.push_back({ px, py });
	};
	auto flush = [&]() {
		if (at.x < 0)
			return;
		for (int py : { at.first, at.low, at.high, at.last })
			add(at.x, py);
		at.x = -1;
	};
	auto put = [&](int px, int py) {
		if (at.x != px) {
			flush();
			at = { px, py, py, py, py };
		}
		at.low = std::min(at.low, py);
		at.high = std::max(at.high, py);
		at.last = py;
	};
	/* Where the line between two samples crosses an edge of the view. */
	auto cross = [&](const pcinspect_ks_event *a, const pcinspect_ks_event *b,
			 int64_t edge) {
		double part = (double)(edge - a->entry->ts) /
			      std::max<int64_t>(1, b->entry->ts - a->entry->ts);

		put(x(edge), y(a->field[field] +
			       std::llround(part * (b->field[field] - a->field[field]))));
	};

	for (const pcinspect_ks_event *e : _samples) {
		int64_t ts = e->entry->ts;

		if (e->inode != inode)
			continue;
		if (e->field[field] < 0) {
			flush();
			out.push_back(std::move(points));
			points.clear();
			before = nullptr;
			continue;
		}
		if (before && before->entry->ts < _histo->min && ts >= _histo->min)
			cross(before, e, _histo->min);
		if (ts > _histo->max) {
			if (before && before->entry->ts <= _histo->max)
				cross(before, e, _histo->max);
			break;
		}
		if (ts >= _histo->min)
			put(x(ts), y(e->field[field]));
		before = e;
	}
	flush();
	out.push_back(std::move(points));
	return out;
}

void Row::areas(size_t inode, int field, Color c) const
{
	for (const auto &points : curve(inode, field))
		for (size_t i = 1; i < points.size(); i++) {
			const ksplot_point &a = points[i - 1], &b = points[i];

			for (int px = a.x; px < b.x; px++) {
				int py = a.y + (b.y - a.y) * (px - a.x) / (b.x - a.x);

				_panel->line({ { px, _bottom }, { px, py } }, c, 1);
			}
		}
}

void Row::curves(size_t inode) const
{
	for (const auto &points : curve(inode, PCINSPECT_KS_CACHED))
		_panel->curve(points, _bottom, cachedColor(inode), false);
	for (const auto &points : curve(inode, PCINSPECT_KS_ACTIVE))
		_panel->curve(points, _bottom, activeColor(inode), false);
	for (const auto &points : curve(inode, PCINSPECT_KS_DIRTY))
		_panel->curve(points, _bottom, dirtyColor, true);
}

/* Bars as long as the window took, up to half the row; capped by inode. */
void Row::windows() const
{
	std::map<int, int> tallest;	/* drawn already, by column */
	int half = (_bottom - _top) / 2;

	for (const pcinspect_ks_event *e : _events[PCINSPECT_KS_WINDOW]) {
		int64_t ts = e->entry->ts, pages = e->field[PCINSPECT_KS_INSERTED];
		int x0 = x(ts - std::max<int64_t>(0, e->field[PCINSPECT_KS_DURATION]));
		int x1 = std::max(x(ts), x0 + 2);
		int height = std::max<int>(2, pages * half / _tallest);
		int64_t expanded = std::clamp<int64_t>(e->field[PCINSPECT_KS_EXPANDED],
						       0, std::max<int64_t>(pages, 0));

		if (tallest.count(x1) && tallest[x1] >= height)
			continue;
		tallest[x1] = height;
		_panel->box(x0, _bottom - height, x1, _bottom, windowColor);
		if (expanded)
			_panel->box(x0, _bottom - height, x1,
				    _bottom - height + (int)(height * expanded / pages),
				    expandedColor);
		if (_own < 0)
			_panel->box(x0, _bottom - height - 2, x1, _bottom - height,
				    cachedColor(e->inode));
	}
}

/* Marks at the top of the row, longer the more refaults a column stands for. */
void Row::refaults() const
{
	std::map<int, int64_t> count;

	for (const pcinspect_ks_event *e : _events[PCINSPECT_KS_REFAULT])
		count[x(e->entry->ts)]++;
	for (const auto &c : count) {
		int length = std::min<int>(refaultMax, 3 + std::log2(c.second));

		_panel->box(c.first, _top, c.first + 1, _top + length, refaultColor);
	}
}

/* A bar from the call to its return, and a line where it returned. */
void Row::fsyncs() const
{
	for (const pcinspect_ks_event *e : _events[PCINSPECT_KS_FSYNC]) {
		int64_t ts = e->entry->ts;
		int x0 = x(ts - std::max<int64_t>(0, e->field[PCINSPECT_KS_DURATION]));
		int x1 = x(ts);

		_panel->box(x1 - 1, _top, x1 + 1, _bottom, fsyncColor);
		_panel->box(std::min(x0, x1 - 1), _top, x1, _top + 4, fsyncColor);
	}
}

void Row::legend() const
{
	auto count = [&](int kind) { return std::to_string(_events[kind].size()); };
	std::string pages = " full height " + std::to_string(_full) + " pages   ";

	if (_own >= 0) {
		auto label = [](int field) {
			return std::string(pcinspect_ks_field(PCINSPECT_KS_SAMPLE, field));
		};

		_panel->text(label(PCINSPECT_KS_CACHED) + " ", cachedColor(_own));
		_panel->text(label(PCINSPECT_KS_ACTIVE) + " ", activeColor(_own));
		_panel->text(label(PCINSPECT_KS_DIRTY), dirtyColor);
		_panel->text(pages, textColor);
	} else {
		for (size_t inode : _shown) {
			char label[64];

			pcinspect_ks_label(_ctx, &_ctx->inodes[inode], label, sizeof(label));
			_panel->text(std::string(label) + " ", cachedColor(inode));
		}
		_panel->text(pages, textColor);
	}
	if (!_events[PCINSPECT_KS_WINDOW].empty())
		_panel->text(count(PCINSPECT_KS_WINDOW) + " windows to " +
			     std::to_string(_tallest) + " pages   ", expandedColor);
	if (!_events[PCINSPECT_KS_REFAULT].empty())
		_panel->text(count(PCINSPECT_KS_REFAULT) + " refaults   ", refaultColor);
	if (!_events[PCINSPECT_KS_FSYNC].empty())
		_panel->text(count(PCINSPECT_KS_FSYNC) + " fsyncs", fsyncColor);
}

/* The row's shape; nullptr if there is nothing to draw. */
Panel *Row::panel()
{
	choose();
	if (_shown.empty())
		return nullptr;
	collect();
	_panel = new Panel(_left, _right, _top - 4);
	if (_own < 0)
		_panel->box(_left, _top, _right, _bottom, { 255, 255, 255 });
	else {
		areas(_own, PCINSPECT_KS_CACHED, mixed(cachedColor(_own), 25, 255));
		areas(_own, PCINSPECT_KS_ACTIVE, mixed(cachedColor(_own), 55, 255));
	}
	windows();
	for (size_t inode : _shown)
		curves(inode);
	fsyncs();
	refaults();
	legend();
	return _panel;
}

} // namespace

/**
 * pcinspect_ks_draw() - KernelShark asks for the shapes of a row
 * @argv: its histogram, graph and list of shapes (KsCppArgV)
 * @sd: id of the data stream
 * @val: the CPU or the PID whose row it is
 * @action: which of the two
 */
void pcinspect_ks_draw(struct kshark_cpp_argv *argv, int sd, int val, int action)
{
	KsCppArgV *cpp = KS_ARGV_TO_CPP(argv);
	pcinspect_ks_context *ctx = __get_context(sd);
	Panel *panel;

	if (!ctx || !(action & (KSHARK_CPU_DRAW | KSHARK_TASK_DRAW)) ||
	    !cpp->_graph || cpp->_graph->size() < 2)
		return;
	pcinspect_ks_sort(ctx);
	panel = Row(cpp, ctx, val, action).panel();
	if (panel)
		cpp->_shapes->push_front(panel);
}
