import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { RunResult } from '../../controller/run-end.js'
import type { PairState, PairView } from '../pair-model.js'
import { formatKey } from './format.js'
import { objectHash } from './route.js'

const severities: Readonly<Record<PairState, string>> = {
  'in sync': 'good',
  pending: 'warn',
  'not copied': 'warn',
  'left alone': 'quiet',
  'name conflict': 'bad',
  quarantined: 'bad',
  'given up': 'bad',
}

/** The severity of a state, which is also a class of the style: `good`, `warn`, `bad` or `quiet`. */
export const severityOf = (state: PairState) => severities[state]

/** A state in its colour. The text says it, too. */
export function State({ state }: { state: PairState }) {
  return <span class={`badge ${severityOf(state)}`}>{state}</span>
}

/** The result of a run in its colour. */
export function Result({ result }: { result: RunResult }) {
  const severity = result === 'success' ? 'good' : result === 'requeue_after' ? 'quiet' : 'bad'
  return <span class={`badge ${severity}`}>{result.replaceAll('_', ' ')}</span>
}

/** Names and values side by side; null values are left out. */
export function Facts({
  entries,
}: {
  entries: readonly (readonly [name: string, value: ComponentChildren])[]
}) {
  return (
    <dl>
      {entries
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** A part of a view with its heading. */
export function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** The heading of a view. It gets the focus when the view is opened, for users of a screen reader. */
export function Heading({ children }: { children: ComponentChildren }) {
  return <h1 tabIndex={-1}>{children}</h1>
}

/** A button that switches something on and off. */
export function Toggle({ label, isOn, onPress }: { label: string; isOn: boolean; onPress: () => void }) {
  return (
    <button type="button" class="chip" aria-pressed={isOn} onClick={onPress}>
      {label}
    </button>
  )
}

/** A link to one object. */
export function ObjectLink({ of }: { of: Pick<PairView, 'syncer' | 'namespace' | 'name'> }) {
  return <a href={objectHash(of)}>{formatKey(of)}</a>
}

/** How long it says that a text was copied, in milliseconds. */
const copiedMs = 2000

/** A command, and a button that copies it. */
export function Command({ label, text }: { label: string; text: string }) {
  const [answer, setAnswer] = useState('')
  const timer = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = async () => {
    setAnswer(
      await navigator.clipboard.writeText(text).then(
        () => 'copied',
        () => 'the browser does not allow it',
      ),
    )
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setAnswer(''), copiedMs)
  }
  return (
    <div class="command">
      <span class="soft">{label}</span>
      <code>{text}</code>
      <button type="button" aria-label={`Copy: ${text}`} onClick={() => void copy()}>
        Copy
      </button>
      <span role="status" class="soft">
        {answer}
      </span>
    </div>
  )
}

/** The command that reads an object, as kubectl takes it; `kubectl` names the kubeconfig if that is known. */
export function kubectlGet(
  object: { apiVersion: string; kind: string; namespace: string; name: string },
  kubectl = 'kubectl',
): string {
  const { apiVersion, kind, namespace, name } = object
  const [group = '', version] = apiVersion.split('/')
  const type = version === undefined ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`
  return `${kubectl} get ${type} ${name}${namespace && ` -n ${namespace}`} -o yaml`
}
