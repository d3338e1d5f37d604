/** The ids of questions that programs answer that do not write whole files. */
export const FOREIGN_PREFIX = 'foreign-'

/** The header that says who sends a request. A real host has signed this person in. */
export const PERSON_HEADER = 'x-person'
