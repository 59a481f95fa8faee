import type { Difference, Explanation } from '../explanation-view.js'
import { DiffTable } from './diff-table.js'
import { formatKey, formatMs } from './format.js'
import { useLive } from './live.js'
import { Command, Facts, kubectlGet, Section } from './parts.js'
import { Table } from './table.js'

/** The parts about an original and its copy. */
export function PairParts({ explanation }: { explanation: Explanation }) {
  return (
    <>
      <Section title="The pair">
        <PairFacts explanation={explanation} />
        <Commands explanation={explanation} />
      </Section>
      <Section title="Whose it is">
        <ul>
          {explanation.ownership.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </Section>
      <Section title="What differs">
        <Table<Difference>
          caption="Fields of the copy that are not as wanted; status is not compared"
          items={explanation.differences}
          keyOf={({ path }) => path}
          empty={
            explanation.hasHost && explanation.hasVirtual
              ? 'No field differs from what the syncer wants.'
              : 'There is no copy to compare.'
          }
          columns={[
            { title: 'Field', cell: ({ path }) => path },
            { title: 'Wanted', cell: ({ wanted }) => wanted ?? '(missing)' },
            { title: 'Found', cell: ({ found }) => found ?? '(missing)' },
          ]}
        />
        <DiffTable lines={explanation.lines} />
      </Section>
    </>
  )
}

function PairFacts({ explanation }: { explanation: Explanation }) {
  const { syncer, apiVersion, kind, host, failures, ownership } = explanation
  const owned = ownership.owned === null ? '–' : ownership.owned ? 'yes' : 'no'
  return (
    <Facts
      entries={[
        ['Syncer', syncer],
        ['Kind', `${apiVersion} ${kind}`],
        ['Virtual', explanation.hasVirtual ? formatKey(explanation) : 'does not exist'],
        ['Host', host ?? 'none'],
        ['Owned', owned],
        ['Failures', failures],
        ['Next run', nextRun(explanation)],
      ]}
    />
  )
}

/** When an object runs again, in words. */
export function nextRun(explanation: Pick<Explanation, 'isRunning' | 'isWaiting' | 'dueInMs'>): string {
  if (explanation.isRunning) return 'under way'
  if (explanation.isWaiting) return 'as soon as a worker is free'
  return explanation.dueInMs === null ? 'on a change' : `in ${formatMs(explanation.dueInMs)}`
}

function Commands({ explanation }: { explanation: Explanation }) {
  const { host } = explanation
  const { virtual, host: ofHost } = useLive().overview?.dev?.kubectl ?? {}
  const [namespace = '', name = ''] = host?.includes('/') ? host.split('/') : ['', host ?? '']
  return (
    <>
      {explanation.hasVirtual && <Command label="virtual" text={kubectlGet(explanation, virtual)} />}
      {host && <Command label="host" text={kubectlGet({ ...explanation, namespace, name }, ofHost)} />}
    </>
  )
}
