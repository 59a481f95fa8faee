import type { ControllerExplanation } from '../../sdk/engine/inspector/controller-explanation.js'
import type { Explanation } from '../../sdk/engine/inspector/explanation-view.js'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { formatKey } from '../../sdk/engine/kube/key.js'
import { askInspector, inspectorUrl, syncedKinds } from '../inspector/ask-inspector.js'
import { createScreen } from '../terminal/screen.js'
import { explanationLines } from './explanation-lines.js'
import type { WhyOptions } from './why-options.js'

/**
 * Prints a running program's explanation of one object, once for each syncer and controller of its kind. Throws a
 * `PluginError` `NO_INSPECTOR`, `UNKNOWN_KIND` if the program has none for the kind, or `NO_OBJECT` if neither the
 * object nor a copy exists. Its history, if it has any, is printed before that.
 */
export async function runWhy(options: WhyOptions): Promise<void> {
  const url = await inspectorUrl(options)
  const explanations = await askInspector(url, options)
  if (explanations.length === 0) {
    const kinds = (await syncedKinds(url)).join(', ') || 'none'
    const message = `the program has no syncer or controller for ${options.kind}; it has some for: ${kinds}`
    throw new PluginError('UNKNOWN_KIND', message)
  }
  const isGone = explanations.every(({ hasVirtual, hasHost }) => !hasVirtual && !hasHost)
  const isUnknown =
    isGone && explanations.every(({ timeline, events }) => timeline.length + events.length === 0)
  // Of a mistyped name there is nothing to tell in lines.
  if (!isUnknown || options.output !== 'text') await printExplanations(explanations, options.output)
  if (isGone) throw noObjectError(explanations[0])
}

function noObjectError(explanation: Explanation | ControllerExplanation | undefined): PluginError {
  const { kind = 'object', namespace = '', name = '', cluster = null } = explanation ?? {}
  const where =
    cluster === null ? 'in the virtual cluster and no copy of it on the host' : `in cluster ${cluster}`
  const message = `there is no ${kind} ${formatKey({ namespace, name })} ${where}; kubectl get ${kind.toLowerCase()} -A lists the names`
  return new PluginError('NO_OBJECT', message)
}

async function printExplanations(
  explanations: readonly (Explanation | ControllerExplanation)[],
  output: WhyOptions['output'],
): Promise<void> {
  if (output === 'json') return console.log(JSON.stringify(explanations, null, 2))
  if (output === 'yaml') {
    const { stringify } = await import('yaml')
    return console.log(stringify(explanations, { aliasDuplicateObjects: false }).trimEnd())
  }
  const screen = createScreen()
  for (const [index, explanation] of explanations.entries()) {
    if (index > 0) screen.line()
    for (const line of explanationLines(explanation, screen)) screen.line(line)
  }
}
