import type { ConditionView, ControllerExplanation, OwnedView } from '../controller-explanation.js'
import type { FactView } from '../fact-view.js'
import { formatKey, formatMs } from './format.js'
import { nextRun } from './pair-parts.js'
import { Command, Facts, kubectlGet, Result, Section } from './parts.js'
import { ReleasePart } from './release-part.js'
import { Table } from './table.js'
import { Time } from './time.js'

/** The parts about an object of a controller. */
export function ControlledParts({ told }: { told: ControllerExplanation }) {
  const { waitsFor } = told
  return (
    <>
      <Section title="The object">
        <ObjectFacts told={told} />
        {told.hasVirtual && <Command label={told.cluster} text={kubectlGet(told)} />}
      </Section>
      <Section title="What it waits for">
        {waitsFor.length === 0 ? (
          <p class="soft">Nothing but a change.</p>
        ) : (
          <ul>
            {waitsFor.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
      </Section>
      <ControllerFacts facts={told.facts} />
      <ReleasePart told={told} />
      <Section title="Conditions">
        <Conditions conditions={told.conditions} />
      </Section>
      <Section title="What it owns">
        <Owned owned={told.owned} />
      </Section>
      <Section title="As YAML">
        <details>
          <summary>Show the object</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
          <pre tabIndex={0}>{told.yaml}</pre>
        </details>
      </Section>
    </>
  )
}

function ObjectFacts({ told }: { told: ControllerExplanation }) {
  const { controller, apiVersion, kind, cluster, failures, lastRun } = told
  return (
    <Facts
      entries={[
        ['Controller', controller],
        ['Kind', `${apiVersion} ${kind}`],
        ['Cluster', cluster],
        ['Last run', lastRun && <LastRun run={lastRun} />],
        ['Failures', failures],
        ['Next run', nextRun(told)],
      ]}
    />
  )
}

/** The facts from the controller; nothing if there are none. */
function ControllerFacts({ facts }: { facts: readonly FactView[] }) {
  if (facts.length === 0) return null
  return (
    <Section title="From its controller">
      <Facts entries={facts.map(({ name, texts }) => [name, texts.join('; ')] as const)} />
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
        { title: 'Since', look: 'wide', cell: ({ atMs }) => (atMs === null ? '–' : <Time atMs={atMs} />) },
      ]}
    />
  )
}

function Owned({ owned }: { owned: readonly OwnedView[] }) {
  return (
    <Table<OwnedView>
      caption="Objects that the controller made"
      items={owned}
      keyOf={(one) => `${one.cluster} ${one.apiVersion} ${one.kind} ${formatKey(one)}`}
      empty="It owns no objects."
      columns={[
        { title: 'Kind', cell: ({ kind }) => kind },
        { title: 'Object', cell: formatKey },
        { title: 'Cluster', look: 'wide', cell: ({ cluster }) => cluster },
        { title: 'Problem', cell: ({ problem }) => problem ?? '–' },
      ]}
    />
  )
}
