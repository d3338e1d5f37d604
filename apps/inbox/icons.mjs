// Makes the icons of the installed inbox from icon.svg. Run it after you changed that file: `npm run icons`.

import { readFileSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { findCommand } from '../../scripts/find-command.mjs'

/** Systems cut a maskable icon into a shape of theirs. The mark of icon.svg is within the part that all of them keep. */
const ICONS = {
  'icon-192.png': { size: 192, radius: '22%' },
  'icon-512.png': { size: 512, radius: '22%' },
  'maskable-192.png': { size: 192, radius: '0' },
  'maskable-512.png': { size: 512, radius: '0' },
}

const svg = readFileSync(new URL('icon.svg', import.meta.url), 'utf8')
const browser = await chromium.launch({
  executablePath: findCommand('chromium') ?? '',
  args: ['--no-sandbox'],
})
try {
  for (const [name, { size, radius }] of Object.entries(ICONS)) {
    const page = await browser.newPage({ viewport: { width: size, height: size } })
    await page.setContent(
      `<style>body { margin: 0 } svg { display: block; border-radius: ${radius} }</style>${svg}`,
    )
    const path = new URL(`public/icons/${name}`, import.meta.url).pathname
    await page.screenshot({ path, omitBackground: true })
    await page.close()
  }
} finally {
  await browser.close()
}
