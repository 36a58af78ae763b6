/* Printing from codelets: printf. Codelets that include it also use memset and the like. */
#ifndef ipumodel_print_h
#define ipumodel_print_h

#include <stdio.h>
#include <string.h>

#endif
