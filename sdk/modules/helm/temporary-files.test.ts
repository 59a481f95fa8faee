// Tests that an operator with Helm Modules asks for a folder for temporary files if it will render by a helm program.
import { chmodSync } from 'node:fs'
import t, { type Test } from 'tap'
import { chartOfFiles } from '../../helm/chart/chart-of-files.js'
import { functionChart } from '../../helm/chart/function-chart.js'
import { createInternalOperator } from '../../operator/operator-runtime.js'
import type { ModulesOptions } from '../module/connection/modules-options.js'
import { moduleControllers } from '../module-controllers.js'

/** Sets variables of the environment for a test. */
function setEnv(t: Test, variables: Record<string, string>): void {
  const before = { ...process.env }
  Object.assign(process.env, variables)
  t.teardown(() => {
    process.env = before
  })
}

async function writesFiles(options: ModulesOptions): Promise<boolean> {
  const operator = createInternalOperator({ name: 'spaces', env: {} })
  operator.register(...moduleControllers(options))
  return (await operator.describe()).writesTemporaryFiles === true
}

/** A program that says the version of helm, and renders nothing. */
function fakeHelm(t: Test): string {
  const folder = t.testdir({ helm: '#!/bin/sh\n[ "$1" = version ] && echo v3.18.0+gabc\nexit 0\n' })
  chmodSync(`${folder}/helm`, 0o755)
  return folder
}

const yaml = 'apiVersion: v2\nname: vcluster\nversion: 0.30.0\n'
const ofFiles = () => chartOfFiles([{ name: 'Chart.yaml', data: Buffer.from(yaml) }], 'vcluster')

void t.test('the default renderer is a helm program, where there is no engine', async (t) => {
  setEnv(t, { HELM_ENGINE: '', HELM_BIN: '', PATH: `${fakeHelm(t)}:${process.env.PATH}` })
  t.equal(await writesFiles({ helm: {} }), true)
  t.equal(await writesFiles({ managed: { chart: await ofFiles() } }), true)
  t.equal(await writesFiles({}), false, 'nothing is rendered')
  const inCode = functionChart({ name: 'vcluster', version: '0.30.0' }, () => [])
  t.equal(await writesFiles({ managed: { chart: inCode } }), false, 'a chart in code')
})

void t.test('without any renderer here, a helm program is expected', async (t) => {
  setEnv(t, { HELM_ENGINE: '', HELM_BIN: '', PATH: '/nowhere' })
  t.equal(await writesFiles({ helm: {} }), true)
})

void t.test('a renderer of the program says it itself', async (t) => {
  const renderer = { name: 'own', render: () => Promise.reject(new Error('unused')), close: async () => {} }
  t.equal(await writesFiles({ helm: { renderer } }), false)
  t.equal(await writesFiles({ helm: { renderer: { ...renderer, writesTemporaryFiles: true } } }), true)
})
