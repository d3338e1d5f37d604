import { expect, it } from 'vitest'
import { isInternalHost } from '../../src/lib/internal-host.ts'

it.each([
  '127.0.0.1',
  '127.255.255.255',
  '10.0.0.0',
  '10.255.255.255',
  '172.16.0.0',
  '172.31.255.255',
  '192.168.0.0',
  '192.168.255.255',
  '169.254.0.0',
  '169.254.169.254',
  '::1',
  '[::1]',
  'fc00::',
  '[fdff:ffff::1]',
  'fe80::',
  '[febf:ffff::1]',
  'localhost',
  'tool',
  'a.localhost',
  'printer.local',
  'db.internal',
  'service.test',
])('%s is a host of this machine or of an internal network', (host) => {
  expect(isInternalHost(host)).toBe(true)
})

it.each([
  '126.255.255.255',
  '128.0.0.0',
  '9.255.255.255',
  '11.0.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '::',
  '[::2]',
  '[fbff:ffff::]',
  'fe00::',
  '[fe7f:ffff::1]',
  '[fec0::]',
  '[2001:db8::1]',
  'example.com',
  'localhost.example.com',
  'local.example',
  'notlocal.com',
  'mylocalhost.com',
  'a.notinternal',
])('%s is a host of the internet', (host) => {
  expect(isInternalHost(host)).toBe(false)
})
