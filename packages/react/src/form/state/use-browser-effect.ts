import { useEffect, useLayoutEffect } from 'react'

/** A layout effect. React 18 runs none on a server, and warns of them there. */
export const useBrowserEffect: typeof useLayoutEffect =
  typeof document === 'undefined' ? useEffect : useLayoutEffect
