// Where the font of the panels is.
#ifndef CT_GUI_FONT_H
#define CT_GUI_FONT_H

#ifdef __cplusplus
extern "C" {
#endif

// The path of DejaVuSans.ttf, malloc'ed; NULL when it is nowhere.
char *ctFont_Find(void);

#ifdef __cplusplus
}
#endif

#endif
