/** The torture looks at processes as Linux shows them. */
export const canRun: boolean = process.platform === 'linux'

if (!canRun) console.error('Skipping the torture: it needs Linux')
