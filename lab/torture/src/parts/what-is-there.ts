import { readdirSync } from 'node:fs'

const TIMERS = ['Timeout', 'Immediate']

/** What this process holds: open descriptors, timers that keep it alive, watches. */
export function whatIsThere(): { descriptors: number; timers: number; watches: number } {
  const resources = process.getActiveResourcesInfo()
  return {
    descriptors: readdirSync('/proc/self/fd').length,
    timers: resources.filter((name) => TIMERS.includes(name)).length,
    watches: resources.filter((name) => name.startsWith('FSEvent')).length,
  }
}
