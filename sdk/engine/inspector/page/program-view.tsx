import type { LeadershipView, Overview, PluginView } from '../model.js'
import { formatMs } from './format.js'
import { useLive } from './live.js'
import { Facts, Heading, Section } from './parts.js'

/** The program's name and clusters, and whether it may write. */
export function ProgramView() {
  const { overview } = useLive()
  return (
    <>
      <Heading>Program</Heading>
      {overview && (
        <>
          <Section title="Process">
            <ProcessFacts plugin={overview.plugin} atMs={overview.atMs} />
          </Section>
          {overview.plugin.mode !== 'cnpg' && <WorkFacts overview={overview} />}
        </>
      )}
    </>
  )
}

/** Of a program that writes objects. */
function WorkFacts({ overview: { leadership, plugin } }: { overview: Overview }) {
  return (
    <>
      <Section title="Leadership">
        <LeadershipFacts leadership={leadership} />
      </Section>
      <Section title={plugin.vclusterName === null ? 'Cluster' : 'Virtual cluster'}>
        <ClusterFacts plugin={plugin} />
      </Section>
    </>
  )
}

function ProcessFacts({ plugin, atMs }: { plugin: PluginView; atMs: number }) {
  return (
    <Facts
      entries={[
        ['Name', plugin.name],
        ['Mode', plugin.mode],
        ['At work', plugin.isRunning ? 'yes' : 'not yet'],
        ['Running for', formatMs(atMs - plugin.startedMs)],
        ['SDK', plugin.version],
        ['Node', plugin.node],
      ]}
    />
  )
}

function LeadershipFacts({ leadership }: { leadership: LeadershipView }) {
  const { state, shards } = leadership
  return (
    <Facts
      entries={[
        ['State', state],
        ['Writes may go on for', deadlineText(leadership)],
        ['Shards', shards && `${shards.served.join(', ') || 'none'} of ${shards.count}`],
      ]}
    />
  )
}

function deadlineText({ state, deadlineInMs }: LeadershipView): string {
  if (state !== 'leading') return 'it may not write'
  return deadlineInMs === null ? 'as long as it runs' : formatMs(deadlineInMs)
}

function ClusterFacts({ plugin }: { plugin: PluginView }) {
  const { vclusterName, targetNamespace, currentNamespace, labelMode } = plugin
  if (vclusterName === null) return <Facts entries={[['Namespace', currentNamespace ?? 'all']]} />
  return (
    <Facts
      entries={[
        ['Name', vclusterName],
        ['Copies are in', targetNamespace],
        ['Runs in', currentNamespace],
        ['Label keys', labelMode],
      ]}
    />
  )
}
