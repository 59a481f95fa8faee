// `ruleProblems` accepts the rules that a real API server accepts, and no others.
import fc from 'fast-check'
import t from 'tap'
import * as z from 'zod'
import { defineKind } from '../../sdk/operator/kind/define/define-kind.js'
import { crdOf } from '../../sdk/operator/kind/definition/crd-of.js'
import { k } from '../../sdk/operator/kind/k/k.js'
import { ruleProblems } from '../../sdk/operator/kind/rules/rule-problems.js'
import type { ClusterUnderTest } from '../conformance/cluster-under-test.js'
import { httpsCluster } from '../conformance/https-cluster.js'
import { missingAssets, startRealCluster } from '../real/real-cluster.js'
import { generatedRules, ruleFields } from './rules.js'

const skip = missingAssets()
const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All'

/** A kind whose spec has a rule. */
const kindWith = (rule: string, spec: z.ZodType = ruleFields) =>
  defineKind({ group: 'rules.example.com', version: 'v1', kind: 'Thing', spec: k.rule(spec, rule) })

async function create(cluster: ClusterUnderTest, kind: ReturnType<typeof kindWith>) {
  const headers = { 'content-type': 'application/json' }
  return cluster.request({ method: 'POST', path, headers, body: JSON.stringify(crdOf(kind)) })
}

void t.test(
  'a real API server accepts each generated rule that is accepted here, and refuses each other one',
  { skip, timeout: 600_000 },
  async (t) => {
    const real = await startRealCluster()
    t.teardown(() => real.stop())
    const cluster = await httpsCluster({
      name: 'real',
      kubeconfig: real.kubeconfig,
      hasControllerManager: false,
    })
    t.teardown(() => cluster.close())
    const rules = [...new Set(fc.sample(generatedRules, { numRuns: 1500, seed: 36 }))].slice(0, 800)
    const accepted = rules.filter((rule) => ruleProblems(kindWith(rule)).length === 0)
    t.ok(accepted.length >= 200, `${accepted.length} of ${rules.length} rules are accepted`)
    for (const rule of accepted) {
      const { status, text } = await create(cluster, kindWith(rule))
      t.equal(status, 201, `${rule}: ${text.slice(0, 500)}`)
    }
    const refused = rules.filter((rule) => !accepted.includes(rule))
    const answers = await Promise.all(refused.map((rule) => create(cluster, kindWith(rule))))
    const agreeing = answers.filter(
      ({ status, text }) => status === 422 && /estimated rule cost exceeds/.test(text),
    )
    t.ok(refused.length > 0, 'the limits of a real API server are met')
    t.equal(agreeing.length, refused.length)
    const unbounded = k.rule(z.object({ a: z.array(z.string()) }), 'self.a.all(x, self.a.exists(y, x == y))')
    const kind = defineKind({ group: 'rules.example.com', version: 'v1', kind: 'Thing', spec: unbounded })
    t.match(ruleProblems(kind), [{ path: 'spec', message: /because spec\.a has no limit/ }])
    t.match(await create(cluster, kind), { status: 422, text: /estimated rule cost exceeds budget/ })
  },
)
