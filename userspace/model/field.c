// SPDX-License-Identifier: GPL-2.0-only
/*
 * field.c - the value of a field of a row. Touches memory only.
 */
#include <string.h>

#include "model/field.h"
#include "uapi/pcinspect.h"

static bool is_zero(const struct field *field, const union field_value *value)
{
	switch (field->type) {
	case FIELD_U64:
	case FIELD_U32:
	case FIELD_S64: return !value->count;
	case FIELD_BOOL: return !value->yes;
	default: return false;
	}
}

/* The value in the row; of arrays and devices their address. */
static bool read_member(const struct field *field, const void *row, union field_value *value)
{
	const char *at = (const char *)row + field->offset;
	uint32_t count;

	switch (field->type) {
	case FIELD_U64:
		memcpy(&value->count, at, sizeof(value->count));
		return value->count != PCINSPECT_UNKNOWN;
	case FIELD_U32:
		memcpy(&count, at, sizeof(count));
		value->count = count;
		return true;
	case FIELD_S64:
		memcpy(&value->number, at, sizeof(value->number));
		return true;
	case FIELD_REAL:
		memcpy(&value->real, at, sizeof(value->real));
		return true;
	case FIELD_BOOL:
		value->yes = *(const bool *)at;
		return true;
	case FIELD_TEXT:
	case FIELD_PATH:
		memcpy(&value->text, at, sizeof(value->text));
		return value->text;
	case FIELD_CHARS:
	case FIELD_COMM:
	case FIELD_DEV:
		break;
	}
	value->text = at;
	return true;
}

/* Is a field in the list that is meant? */
bool field_is_in(const struct fields *fields, const struct field *field)
{
	return !field->in || !fields->in || field->in & fields->in;
}

/**
 * field_value() - the value of a field
 * @fields: the table that it is in
 * @field: which
 * @row: whose
 * @of: what the row belongs to, for fields that are computed
 * @value: set to it
 *
 * Return: false if it is unknown.
 */
bool field_value(const struct fields *fields, const struct field *field, const void *row,
		 const void *of, union field_value *value)
{
	uint32_t flags = 0;

	*value = (union field_value){};
	if (field->needs | field->unless)
		memcpy(&flags, (const char *)row + fields->row_flags, sizeof(flags));
	if ((flags & field->needs) != field->needs || flags & field->unless)
		return false;
	if (field->known && !*((const bool *)row + field->known - 1))
		return false;
	if (field->get ? !field->get(row, of, value) : !read_member(field, row, value))
		return false;
	return !(field->flags & FIELD_NOT_ZERO && is_zero(field, value));
}
