import { PAGE_BYTES } from '../database/cut-short.ts'

const LEAST_BYTES = 65_536

/** How many bytes of texts one statement reads. After a failure it is half: the connection may be slow. */
export class ReadBytes {
  #now = PAGE_BYTES

  /** Resolves to what `read` resolves to. */
  async during<T>(read: (bytes: number) => Promise<T>): Promise<T> {
    try {
      const result = await read(this.#now)
      this.#now = Math.min(PAGE_BYTES, this.#now * 2)
      return result
    } catch (error) {
      this.#now = Math.max(LEAST_BYTES, this.#now / 2)
      throw error
    }
  }
}
