import type { LeadershipView, Overview, PluginView } from '../model.js'
import { element, facts, heading } from './element.js'
import { formatMs } from './format.js'
import type { View } from './view.js'

/** The plugin's name and clusters, and whether it may write. */
export function pluginView(): View {
  const place = element('div')
  const show = (overview: Overview) => place.replaceChildren(...described(overview))
  return { title: 'Plugin', elements: [heading('Plugin'), place], show }
}

function described({ plugin, leadership, atMs }: Overview): HTMLElement[] {
  return [
    facts([
      ['Name', plugin.name],
      ['Mode', plugin.mode],
      ['At work', plugin.isRunning ? 'yes' : 'not yet'],
      ['Running for', formatMs(atMs - plugin.startedMs)],
      ['SDK', plugin.version],
      ['Node', plugin.node],
    ]),
    element('h2', {}, ['Leadership']),
    facts([
      ['State', leadership.state],
      ['Writes may go on for', deadlineText(leadership)],
      ...shardFacts(leadership),
    ]),
    ...vclusterFacts(plugin),
  ]
}

/** An operator has no vcluster. */
function vclusterFacts(plugin: PluginView): HTMLElement[] {
  const { vclusterName, targetNamespace, currentNamespace, labelMode } = plugin
  if (vclusterName === null) return [facts([['Namespace', currentNamespace ?? 'all']])]
  return [
    element('h2', {}, ['Virtual cluster']),
    facts([
      ['Name', vclusterName],
      ['Copies are in', targetNamespace ?? '–'],
      ['Runs in', currentNamespace ?? '–'],
      ['Label keys', labelMode ?? '–'],
    ]),
  ]
}

function deadlineText({ state, deadlineInMs }: LeadershipView): string {
  if (state !== 'leading') return 'it may not write'
  return deadlineInMs === null ? 'as long as it runs' : formatMs(deadlineInMs)
}

function shardFacts({ shards }: LeadershipView): [string, string][] {
  return shards ? [['Shards', `${shards.served.join(', ') || 'none'} of ${shards.count}`]] : []
}
