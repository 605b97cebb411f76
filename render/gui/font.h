// Finds the font of the panels.
#ifndef CT_GUI_FONT_H
#define CT_GUI_FONT_H

#ifdef __cplusplus
extern "C" {
#endif

// The path of DejaVuSans.ttf, freed with free(); NULL when the font is not found.
char *ctFont_Find(void);

#ifdef __cplusplus
}
#endif

#endif
