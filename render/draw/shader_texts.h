// The files of assets/shaders as part of the program. The build makes their texts (tools/embed-shaders).
#ifndef CT_SHADER_TEXTS_H
#define CT_SHADER_TEXTS_H

typedef struct ctShaderText {
    const char *name; // "body.vert"; NULL ends the list
    const char *text;
} ctShaderText;
extern const ctShaderText ctShaderTexts[];

#endif
