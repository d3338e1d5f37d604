import { bundleAll } from '../../../scripts/bundle.mjs'

/** Bundles the programs that tests start: `tsc` alone leaves bundles of earlier sources behind. */
export default bundleAll
