/* Printing from codelets: printf. */
#ifndef ipumodel_print_h
#define ipumodel_print_h

#include <stdio.h>

#endif
