let held = 0
let timer: NodeJS.Timeout | undefined

/**
 * Keeps this process running until the returned function is called. Connections do not, so that a process can end while its
 * sandboxes are idle.
 */
export function holdProcess(): () => void {
  if (held++ === 0) timer = setInterval(() => {}, 2 ** 30)
  let isHeld = true
  return () => {
    if (isHeld && --held === 0) clearInterval(timer)
    isHeld = false
  }
}
