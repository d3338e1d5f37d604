/** Gives each id once. The same again gets a number behind it: agents may name two things alike. */
export class UnusedIds {
  readonly #used = new Set<string>()

  for(id: string): string {
    let unused = id
    for (let count = 2; this.#used.has(unused); count++) unused = `${id}-${count}`
    this.#used.add(unused)
    return unused
  }
}
