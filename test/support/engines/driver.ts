/** One page of a browser, in a profile of its own. Each engine does this in its own protocol; `Tab` builds on it. */
export interface Driver {
  goto(url: string): Promise<void>
  reload(): Promise<void>
  /** Runs a script in the page, for what it leaves on `window`. */
  inject(script: string): Promise<void>
  /** Runs a function in the page. It sees its arguments, and nothing around it. */
  run<Args extends unknown[], Result>(what: (...args: Args) => Result, ...args: Args): Promise<Result>
  /** Chooses a file for the field that this selector finds, as in the dialog of the system. */
  choose(selector: string, path: string): Promise<void>
  /** Moves the mouse to a place in the window, in CSS pixels. */
  moveTo(x: number, y: number): Promise<void>
  mouseDown(): Promise<void>
  mouseUp(): Promise<void>
  /** Types characters, each by a key of its own. */
  type(text: string): Promise<void>
  /** Presses a key, with others held: `Enter`, `Control+Enter`. */
  press(chord: string): Promise<void>
  /** A picture of the window, as PNG. */
  screenshot(): Promise<Uint8Array>
  close(): Promise<void>
}

/** A browser that runs. */
export interface EngineBrowser {
  open(): Promise<Driver>
  close(): Promise<void>
}

/** A browser that tests can start. */
export interface Engine {
  name: string
  /** Whether the system has it. `scripts/system-parts.mjs` installs it. */
  isInstalled: boolean
  /** Starts it without a window. The caller closes it. */
  launch(): Promise<EngineBrowser>
}
