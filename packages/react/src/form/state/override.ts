/** Some values that take the place of others. `undefined` stands for no value. */
export type Overrides<T> = { [Name in keyof T]?: T[Name] | undefined }

/** The defaults, with each given value in the place of its default. */
export const override = <T extends object>(defaults: T, given: Overrides<T> = {}): T => ({
  ...defaults,
  ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
})
