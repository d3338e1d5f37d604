let offsetMs = 0
const RealDate = Date
const realNow = Date.now

/** From now on the clock of this process is wrong by so much. Timers go on as they do when somebody sets the clock. */
export const setClock = (ms: number): void => {
  offsetMs = ms
}

globalThis.Date = new Proxy(RealDate, {
  construct: (_, args: [] | [number]) =>
    args.length === 0 ? new RealDate(realNow() + offsetMs) : Reflect.construct(RealDate, args),
  get: (target, key) => (key === 'now' ? () => realNow() + offsetMs : Reflect.get(target, key)),
})
