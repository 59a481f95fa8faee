/**
 * Releases that are almost too large, or too large, for their record. Parts of real.test.ts, with one control plane.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { configMaps, customResourceDefinitions, secrets } from '../../sdk/engine/kube/builtin.js'
import { loadChart } from '../../sdk/helm/chart/load-chart.js'
import { helmController } from '../../sdk/helm/reconciler/helm-controller.js'
import type { Operator } from '../../sdk/operator/operator.js'
import { until } from '../until.js'
import { programs } from './charts.js'
import type { RealControlPlane } from './real-control-plane.js'
import { releasedKind } from './real-kinds.js'

const sized = releasedKind('Sized')
const inCrds = releasedKind('InCrds')
const mebibyte = 2 ** 20
const edit = (spec: object) => ({ type: 'merge', body: { spec } }) as const

/** Four objects of half a mebibyte, if the values say so. */
const template = `apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}}
data: {text: {{ .Values.text }}}
---
apiVersion: example.com/v1
kind: InCrds
metadata: {name: {{ .Release.Name }}}
{{- if .Values.large }}
{{- $text := .Files.Get "large.txt" }}
{{- range $at := until 4 }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ $.Release.Name }}-{{ $at }}}
data: {text: {{ substr (int (mul $at 524288)) (int (mul (add $at 1) 524288)) $text | quote }}}
{{- end }}
{{- end }}
`

/** The definition of the kind. */
export const sizedDefinition = sized.definition

/** Registers a reconciler with a chart that has a file of five mebibytes, which can hardly be compressed. */
export async function registerSized(t: Test, operator: Operator): Promise<void> {
  const folder = join(t.testdir({}), 'sized')
  for (const path of ['templates', 'crds']) mkdirSync(join(folder, path), { recursive: true })
  const write = (path: string, data: string | Buffer) => writeFileSync(join(folder, path), data)
  write('Chart.yaml', 'apiVersion: v2\nname: sized\nversion: 1.0.0\n')
  write('templates/a.yaml', template)
  write('crds/a.yaml', JSON.stringify(inCrds.definition))
  write('large.txt', randomBytes((5 * mebibyte * 3) / 4).toString('base64'))
  operator.register(helmController({ resource: sized.kind, chart: await loadChart(folder) }))
}

/** 2 MiB of manifest are refused before any write. */
export async function isRefused(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  await client.create(sized.kind, {
    metadata: { namespace: 'default', name: 'large' },
    spec: { text: 'one', large: true },
  })
  const condition = () => plane.condition(sized.kind, 'large', 'Irreconcilable')
  await until(async () => (await condition())?.status === 'True')
  t.match(await condition(), {
    reason: 'ReleaseTooLarge',
    message: /a manifest of 2\d{6} characters and 0 hooks need 2\d{6} bytes, and a Secret holds 1048576/,
  })
  t.strictSame(await plane.history('default', 'large'), [])
  const names = async () =>
    (await client.list(configMaps, { namespace: 'default' })).items.map(({ metadata }) => metadata.name)
  t.notOk(
    (await names()).some((name = '') => name.startsWith('large')),
    'no object was written',
  )
  t.equal(
    await plane.get(customResourceDefinitions, '', `${inCrds.kind.plural}.${inCrds.kind.group}`),
    undefined,
    'no definition, either',
  )
  await client.delete(sized.kind, { namespace: 'default', name: 'large' })
  await until(async () => (await plane.get(sized.kind, 'default', 'large')) === undefined)
}

/** 5 MiB of files are left out of the record, and helm rolls back to it. */
export async function isTrimmed(t: Test, plane: RealControlPlane): Promise<void> {
  const { client } = plane
  const key = { namespace: 'default', name: 'sized' }
  const text = async () => (await client.get(configMaps, key)).data?.text
  await client.create(sized.kind, { metadata: key, spec: { text: 'one' } })
  await plane.reach('1 deployed', key)
  t.ok(await plane.get(inCrds.kind, 'default', 'sized'), 'an object of the kind that crds/ defines')
  t.match(await plane.told('ReleaseTrimmed'), [/the record of revision 1 of sized has no files of the chart/])
  await client.patch(sized.kind, key, edit({ text: 'two' }))
  await plane.reach('2 deployed', key)
  let version = 2
  for (const program of programs) {
    await plane.helm(program, 'default', 'rollback', 'sized', '1')
    version += 2
    await plane.reach(`${version} deployed`, key)
    t.equal(await text(), 'two', 'the custom resource decides')
    t.match(
      await plane.helm(program, 'default', 'get', 'manifest', 'sized', '--revision', `${version - 1}`),
      /text: one/,
    )
  }
  await client.delete(sized.kind, key)
  await until(async () => (await plane.get(sized.kind, 'default', 'sized')) === undefined)
  const { items } = await client.list(secrets, { namespace: 'default' })
  t.strictSame(
    items.filter(({ metadata }) => /sized/.test(metadata.name ?? '')),
    [],
    'no record is left',
  )
}
