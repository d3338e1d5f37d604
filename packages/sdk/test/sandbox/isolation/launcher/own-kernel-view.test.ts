import { expect, it, onTestFinished } from 'vitest'
import { withOwnKernelView } from '../../../../src/sandbox/isolation/launcher/own-kernel-view.ts'

function on(platform: NodeJS.Platform): void {
  const own = process.platform
  Object.defineProperty(process, 'platform', { value: platform })
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: own }))
}

it('settings of the kernel are closed behind the last place where processes are shown', () => {
  on('linux')
  const before = "bwrap --setenv A ' --proc /proc ' --unshare-pid --proc /proc "
  const command = withOwnKernelView(`${before}-- sh -c true`)
  expect(command.startsWith(`${before}--unshare-ipc --ro-bind-try /proc/acpi /proc/acpi `)).toBe(true)
  expect(command.endsWith(' --ro-bind-try /proc/sysrq-trigger /proc/sysrq-trigger -- sh -c true')).toBe(true)
  const closed = command.matchAll(/ --ro-bind-try (\S+) \1(?= )/g)
  expect([...closed].map(([, path]) => path)).toEqual([
    '/proc/acpi',
    '/proc/asound',
    '/proc/bus',
    '/proc/driver',
    '/proc/dynamic_debug',
    '/proc/fs',
    '/proc/irq',
    '/proc/latency_stats',
    '/proc/mtrr',
    '/proc/scsi',
    '/proc/slabinfo',
    '/proc/sys',
    '/proc/sysrq-trigger',
  ])
})

it('a command that shows no processes is refused, and not run with open settings', () => {
  on('linux')
  expect(() => withOwnKernelView('bwrap --unshare-pid -- true')).toThrow('settings of the kernel')
})

it('other systems have no such settings', () => {
  on('darwin')
  expect(withOwnKernelView('sandbox-exec true')).toBe('sandbox-exec true')
})
