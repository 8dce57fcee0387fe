#ifndef INCUMBENT_SIGNALS_H
#define INCUMBENT_SIGNALS_H

#include <stdint.h>

/* Sets of signals as numbers: bit n-1 stands for signal n. */

uint64_t signal_bit(int signal_number);

/* Those that this process ignores. */
uint64_t signals_ignored(void);

/* Those that this process blocks. */
uint64_t signals_blocked(void);

void signals_unblock_all(void);

/* Ignores some and blocks some; all others do what they do by default. A signal that came meanwhile is delivered here. */
void signals_restore(uint64_t ignored, uint64_t blocked);

#endif
