import jsQR from 'jsqr'

/** How large a module of the code is drawn for the reader. */
const SCALE = 4

/** Which halves of a character are white, the upper one first. */
const HALVES: Readonly<Record<string, readonly [boolean, boolean]>> = {
  '█': [true, true],
  '▀': [true, false],
  '▄': [false, true],
  ' ': [false, false],
}

/** Reads the QR code among lines of a terminal, as a camera would. */
export function readQrCode(lines: readonly string[]): string | undefined {
  const isOfCode = (line: string): boolean => /^[█▀▄ ]{20,}$/.test(line)
  const code = lines.map((line) => line.trimEnd()).filter(isOfCode)
  const rows = code.flatMap((line) => {
    const halves = [...line].map((character) => HALVES[character] ?? [false, false])
    return [halves.map(([upper]) => upper), halves.map(([, lower]) => lower)]
  })
  return readModules(rows.map((row) => row.map((isWhite) => !isWhite)))
}

/** Reads a code from its modules: `true` is black. */
export function readModules(modules: readonly (readonly boolean[])[]): string | undefined {
  const size = modules[0]?.length ?? 0
  const [width, height] = [size * SCALE, modules.length * SCALE]
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (modules[Math.floor(y / SCALE)]?.[Math.floor(x / SCALE)])
        pixels.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
  return jsQR.default(pixels, width, height)?.data
}
