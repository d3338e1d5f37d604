/** A secret as somebody may have written it: as it is, a part of it, quoted, encoded. */
function plainForms(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const base64 = [0, 1, 2].map((skipped) =>
    Buffer.concat([Buffer.alloc(skipped), bytes])
      .toString('base64')
      .slice(4, 20),
  )
  return [
    secret,
    secret.slice(0, 9),
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('hex'),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ]
}

/** The forms of a secret that are in a text. */
export const formsIn = (text: string, secret: string): string[] =>
  plainForms(secret).filter((form) => text.includes(form))
