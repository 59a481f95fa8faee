// Tests that values of Secrets are masked in every form in which a template can print them, from the first rendering
// on.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { until } from '../../../../test/until.js'
import { events } from '../../../engine/kube/builtin.js'
import type { Logger } from '../../../engine/observe/logger.js'
import type { FileChart } from '../../chart/chart.js'
import { loadChart } from '../../chart/load-chart.js'
import { engineRenderer } from '../../render/engine/engine-renderer.js'
import { greetings } from '../greetings.fixture.js'
import { conditionOf, create, edit, find, history, start } from '../reconciled.fixture.js'
import { SecretTexts } from './secret-texts.js'

const skip =
  process.env.HELM_ENGINE === undefined &&
  'HELM_ENGINE is not set: export HELM_ENGINE=$(npm run --silent helm-engine)'

function chartOf(t: Test, files: Record<string, string>): Promise<FileChart> {
  const folder = join(t.testdir({}), 'leaky')
  const all = { 'Chart.yaml': 'apiVersion: v2\nname: leaky\nversion: 1.0.0\n', ...files }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return loadChart(folder)
}

const forms = [
  ...[
    '.Values.pw',
    '.Values.pw | quote',
    '.Values.pw | squote',
    '.Values.pw | toJson',
    '.Values.pw | toRawJson',
  ],
  ...[
    '.Values.pw | b64enc',
    '.Values.pw | b64enc | quote',
    '.Values.pw | b64enc | b64enc',
    '.Values.pw | b32enc',
  ],
  ...[
    'printf "u:%s" .Values.pw | b64enc',
    'printf "us:%s" .Values.pw | b64enc',
    'printf "%s@x" .Values.pw | b64enc',
  ],
  ...[
    'printf "%q" .Values.pw',
    'printf "%+q" .Values.pw',
    'printf "%#v" .Values.pw',
    'printf "%x" .Values.pw',
  ],
  ...[
    'printf "%X" .Values.pw',
    'urlquery .Values.pw',
    'html .Values.pw',
    'toYaml .Values.pw',
    'quote .Values.pw | quote',
  ],
  ...['.Values.pw | upper', '.Values.pw | lower', '.Values.pw | indent 4', '.Values.pw | trim'],
]
const values = {
  plain: 'hunter2-of-the-release',
  controls: 'hunter2\u0001of\u001bthe\u0000release',
  quotes: `hunter2 "of" 'the' \\release`,
  spaces: '  hunter2\tof the\r\nrelease\n',
  markup: '<hunter2>&of&<the-release>',
  letters: 'hünter2 öf the €release 😀\u00a0end',
  lines: 'the first line of hunter2\nthe second line of release\n',
}

void t.test('values are masked in every form in which a template prints them', { skip }, async (t) => {
  const renderer = await engineRenderer()
  t.teardown(() => renderer.close())
  const chart = await chartOf(t, { 'templates/a.yaml': '{{ fail (tpl .Values.all .) }}' })
  const all = forms.map((form) => `¦{{ ${form} }}¦`).join('')
  const { signal } = new AbortController()
  for (const [name, pw] of Object.entries(values)) {
    const request = {
      chart,
      values: { pw, all },
      capabilities: { kubeVersion: 'v1.36.0', apiVersions: [] },
      release: { name: 'r', namespace: 'n', revision: 1, isInstall: true },
    }
    const error = await renderer.render(request, signal).then(
      () => new Error('it was rendered'),
      (problem: Error) => problem,
    )
    const texts = new SecretTexts('r', 'n')
    texts.note([{ kind: 'Secret', stringData: { pw } }])
    const printed = texts.redact(error.message).split('¦')
    t.equal(printed.length, 2 * forms.length + 1)
    for (const [at, form] of forms.entries()) {
      const text = printed[2 * at + 1] ?? ''
      // The characters of base64 at both ends depend on the text around it.
      const readable = /^printf .*b64enc/.test(form) ? /[\p{L}\p{N}]{5,}/u : /[\p{L}\p{N}]{3,}/u
      t.match(text, '[secret]', `${name}: ${form}`)
      t.notMatch(text.replaceAll('[secret]', ''), readable, `${name}: ${form} prints ${text}`)
    }
  }
})

const secret = `apiVersion: v1
kind: Secret
metadata: {name: {{ .Release.Name }}}
stringData: {pw: {{ required "no pw" .Values.pw | quote }}}
`
const failing = `{{- if eq .Values.how "fail" }}{{ fail (printf "%s is too short: %s" (.Values.pw | b64enc) .Values.pw) }}{{ end -}}
{{- if eq .Values.how "required" }}{{ required (printf "%q needs a user" .Values.pw) .Values.user }}{{ end -}}
{{- if eq .Values.how "pipe" }}{{ printf "fail with %s" .Values.pw | fail }}{{ end -}}
`
const schema = JSON.stringify({ properties: { pw: { type: 'string', pattern: '^[a-z0-9-]+$' } } })

/** An operator with a chart, and everything that it says to people. */
async function started(t: Test, files: Record<string, string>) {
  const lines: string[] = []
  const write = (fields: object, message: string) => lines.push(JSON.stringify([message, fields]))
  const logger: Logger = { debug: write, info: write, warn: write, error: write, child: () => logger }
  const options = { chart: await chartOf(t, files), permissionValues: false } as const
  const test = await start(t, options, { logger })
  const said = async () => {
    const { status } = (await find(test, greetings)) ?? {}
    return JSON.stringify([lines, status, await test.client.list(events)])
  }
  return { test, said }
}

void t.test('a first installation whose rendering fails shows no value', { skip }, async (t) => {
  const { test, said } = await started(t, {
    'templates/secret.yaml': `${failing}${secret}`,
    'values.yaml': 'user: ""\n',
    'values.schema.json': schema,
  })
  const messageOf = async () => (await conditionOf(test, 'Irreconcilable'))?.message ?? ''
  /** The message about a change, which has to contain some words. */
  const seen = async (words: string) => {
    await until(async () => (await messageOf()).includes(words), { what: `the message has "${words}"` })
    const message = await messageOf()
    t.match(message, words)
    t.notMatch(message, 'hunter2')
    return message
  }
  await create(test, { pw: 'hunter2-of-fail', how: 'fail' })
  t.match(await seen('is too short'), /\[secret\] is too short: \[secret\]/)
  await edit(test, { spec: { pw: 'hunter2-of-required', how: 'required' } })
  t.match(await seen('needs a user'), /"\[secret\]" needs a user/)
  await edit(test, { spec: { pw: 'hunter2-of-pipe', how: 'pipe' } })
  t.match(await seen('fail with'), /fail with \[secret\]/)
  await edit(test, { spec: { pw: 'hunter2 OF SCHEMA', how: 'schema' } })
  await seen('pattern')
  t.strictSame(await history(test), [])
  await test.stop()
  const all = await said()
  for (const text of ['hunter2', Buffer.from('hunter2').toString('base64').slice(0, 8)]) t.notMatch(all, text)
})

void t.test('nor does one whose templates do not render at all', { skip }, async (t) => {
  const { test, said } = await started(t, {
    'templates/secret.yaml': `${secret}{{ fail .Values.database.password }}{{ .Values.nothing.at.all }}`,
    'values.yaml': 'pw: hunter2-of-default\n',
  })
  await create(test, { database: { password: 'hunter2-of-database' } })
  await until(async () => (await conditionOf(test, 'Irreconcilable')) !== undefined)
  t.match(await conditionOf(test, 'Irreconcilable'), { message: /\[secret\]/ })
  await test.stop()
  t.notMatch(await said(), 'hunter2')
})
