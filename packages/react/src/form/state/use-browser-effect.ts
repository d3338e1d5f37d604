import { useEffect, useLayoutEffect } from 'react'

/** A layout effect. React 18 runs none on a server, and warns of them there. */
export const useBrowserEffect: typeof useLayoutEffect = (...effect) =>
  // biome-ignore lint/correctness/useHookAtTopLevel: a server stays a server
  typeof document === 'undefined' ? useEffect(...effect) : useLayoutEffect(...effect)
