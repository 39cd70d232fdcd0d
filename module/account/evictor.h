/* SPDX-License-Identifier: GPL-2.0 */
/*
 * evictor.h - for whose sake kswapd reclaims: an inference, labelled as one.
 */
#ifndef PCINSPECT_EVICTOR_H
#define PCINSPECT_EVICTOR_H

#include "records/operation.h"

struct pcinspect_culprit;

void pcinspect_evictor_filled(const struct pcinspect_file_id *file,
			      unsigned int pages);
void pcinspect_evictor_wake(void);
void pcinspect_evictor_infer(unsigned int pages, struct pcinspect_culprit *by);
void pcinspect_evictor_reset(void);

#endif /* PCINSPECT_EVICTOR_H */
