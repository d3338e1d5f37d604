/** One promise of an interface, as a test for any framework. */
export interface ContractCase {
  /** A sentence. A case that needs an ability of the maker says so at its end. */
  name: string
  /** Rejects when the promise is broken. It makes what it needs, and removes it. */
  run: () => Promise<void>
}

/** A case before it is bound to a maker. */
export interface CaseOf<Ability extends string, Context> {
  name: string
  /** The ability without which the case is left out. */
  needs?: Ability
  run: (context: Context) => Promise<void>
}

/** The cases that can run with these abilities. `use` makes the context of one case and removes it afterwards. */
export const bindCases = <Ability extends string, Context>(
  cases: readonly CaseOf<Ability, Context>[],
  abilities: { readonly [Name in Ability]?: unknown },
  use: (run: (context: Context) => Promise<void>) => Promise<void>,
): ContractCase[] =>
  cases
    .filter(({ needs }) => needs === undefined || abilities[needs] !== undefined)
    .map(({ name, needs, run }) => ({
      name: needs === undefined ? name : `${name} (needs ${needs})`,
      run: () => use(run),
    }))
