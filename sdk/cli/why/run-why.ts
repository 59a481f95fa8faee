import { PluginError } from '../../kube/error.js'
import { createScreen } from '../dev/screen.js'
import { askInspector, inspectorUrl, syncedKinds } from './ask-inspector.js'
import { explanationLines } from './explanation-lines.js'
import type { WhyOptions } from './why-options.js'

/**
 * Prints what a running plugin makes of one object, once for each syncer of its kind. Throws a `PluginError`:
 * `NO_INSPECTOR`, or `UNKNOWN_KIND` where no syncer has to do with it.
 */
export async function runWhy(options: WhyOptions): Promise<void> {
  const url = await inspectorUrl(options)
  const explanations = await askInspector(url, options)
  if (explanations.length === 0) {
    const kinds = (await syncedKinds(url)).join(', ') || 'none'
    const message = `no syncer of the plugin has to do with ${options.kind}; its kinds are: ${kinds}`
    throw new PluginError('UNKNOWN_KIND', message)
  }
  if (options.output === 'json') return console.log(JSON.stringify(explanations, null, 2))
  if (options.output === 'yaml') {
    const { stringify } = await import('yaml')
    return console.log(stringify(explanations, { aliasDuplicateObjects: false }).trimEnd())
  }
  const screen = createScreen()
  for (const [at, explanation] of explanations.entries()) {
    if (at > 0) screen.line()
    for (const line of explanationLines(explanation, screen)) screen.line(line)
  }
}
