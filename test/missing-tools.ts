import { toolPath } from '../scripts/tools/packages.mjs'

/** The reason to skip a test that needs the packages of scripts/tools, or false. */
export function missingTools(): string | false {
  try {
    toolPath('publint')
    return false
  } catch {
    return 'the packages of scripts/tools are not installed: npm run tools'
  }
}
