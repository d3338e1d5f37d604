/** What a language writes its own way, such as a date, between words of another one: it does not turn what is around it. */
export const isolated = (text: string): string => `\u2068${text}\u2069`
