/**
 * What a text of an agent is. `line`: one line. `label`: one line, in which links are text. `block`: paragraphs, lists,
 * tables and code. `preview`: the same, with images.
 */
export type TextKind = 'line' | 'label' | 'block' | 'preview'
