import type { ConditionView, ControllerExplanation } from '../controller-explanation.js'
import type { FactView } from '../fact-view.js'
import type { OwnedNode } from '../owned-node.js'
import { formatMs } from './format.js'
import { LinkedText } from './linked-text.js'
import { useLive } from './live.js'
import { nextRun } from './pair-parts.js'
import { Command, Facts, kubectlGet, Result, Section } from './parts.js'
import { ReleasePart } from './release-part.js'
import { Table } from './table.js'
import { Time } from './time.js'

/** The parts about an object of a controller. */
export function ControlledParts({ explanation }: { explanation: ControllerExplanation }) {
  const kubectl = useLive().overview?.dev?.kubectl[explanation.cluster]
  return (
    <>
      <Section title="The object">
        <ObjectFacts explanation={explanation} />
        {explanation.hasVirtual && (
          <Command label={explanation.cluster} text={kubectlGet(explanation, kubectl)} />
        )}
      </Section>
      <Section title="What it waits for">
        <WaitsFor reasons={explanation.waitsFor} />
      </Section>
      <ControllerFacts facts={explanation.facts} />
      <ReleasePart explanation={explanation} />
      <Section title="Conditions">
        <Conditions conditions={explanation.conditions} />
      </Section>
      <Section title="What it owns">
        <Owned tree={explanation.tree} />
      </Section>
      <Section title="As YAML">
        <details>
          <summary>Show the object</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
          <pre tabIndex={0}>{explanation.yaml}</pre>
        </details>
      </Section>
    </>
  )
}

function WaitsFor({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 0) return <p class="soft">Nothing but a change.</p>
  return (
    <ul>
      {reasons.map((reason) => (
        <li key={reason}>
          <LinkedText text={reason} />
        </li>
      ))}
    </ul>
  )
}

function ObjectFacts({ explanation }: { explanation: ControllerExplanation }) {
  const { controller, apiVersion, kind, cluster, failures, lastRun } = explanation
  return (
    <Facts
      entries={[
        ['Controller', controller],
        ['Kind', `${apiVersion} ${kind}`],
        ['Cluster', cluster],
        ['Last run', lastRun && <LastRun run={lastRun} />],
        ['Failures', failures],
        ['Next run', nextRun(explanation)],
      ]}
    />
  )
}

/** The facts from the controller; nothing if there are none. */
function ControllerFacts({ facts }: { facts: readonly FactView[] }) {
  if (facts.length === 0) return null
  return (
    <Section title="From its controller">
      <Facts
        entries={facts.map(
          ({ name, texts }) => [name, <LinkedText key={name} text={texts.join('; ')} />] as const,
        )}
      />
    </Section>
  )
}

function LastRun({
  run: { result, durationMs, atMs },
}: {
  run: NonNullable<ControllerExplanation['lastRun']>
}) {
  return (
    <>
      <Result result={result} /> in {formatMs(durationMs)} at <Time atMs={atMs} />
    </>
  )
}

function Conditions({ conditions }: { conditions: readonly ConditionView[] }) {
  return (
    <Table<ConditionView>
      caption="Conditions of the object"
      items={conditions}
      keyOf={({ type }) => type}
      empty="It has none."
      columns={[
        { title: 'Type', cell: ({ type }) => type },
        { title: 'Status', cell: ({ status }) => status },
        { title: 'Reason', cell: ({ reason }) => reason },
        { title: 'Message', cell: ({ message }) => message },
        { title: 'Since', layout: 'wide', cell: ({ atMs }) => (atMs === null ? '–' : <Time atMs={atMs} />) },
      ]}
    />
  )
}

function Owned({ tree }: { tree: readonly OwnedNode[] }) {
  if (tree.length === 0) return <p class="soft">The controller knows of none.</p>
  return (
    <ul class="tree">
      {tree.map((node) => (
        <li key={node.name}>
          <span class={`badge ${healths[node.health]}`}>{node.health}</span> {node.name}{' '}
          <span class="soft">{node.text}</span>
          {node.owns.length > 0 && <Owned tree={node.owns} />}
        </li>
      ))}
    </ul>
  )
}

const healths: Readonly<Record<OwnedNode['health'], string>> = {
  ready: 'good',
  'not ready': 'bad',
  exists: 'quiet',
}
