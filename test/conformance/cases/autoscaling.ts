import type { CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'

const conversion = 'k8s.io/kubernetes pkg/apis/autoscaling/v1/conversion.go @ v1.36.3'
const defaults = 'k8s.io/kubernetes pkg/apis/autoscaling/v2/defaults.go @ v1.36.3'
const validation = 'k8s.io/kubernetes pkg/apis/autoscaling/validation/validation.go @ v1.36.3'

const pathOf = ({ namespace }: CaseClient, version: string, name = '') =>
  `/apis/autoscaling/${version}/namespaces/${namespace}/horizontalpodautoscalers${name === '' ? '' : `/${name}`}`

const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }
const autoscaler = (spec: object = {}) => ({
  metadata: { name: 'a' },
  spec: { scaleTargetRef, maxReplicas: 3, ...spec },
})

const cpu = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
})

/** HorizontalPodAutoscalers, which are the same in two versions. */
export const autoscaling: CaseGroup = {
  name: 'autoscaling',
  cases: [
    {
      name: 'the default metric of an autoscaler is CPU',
      source: defaults,
      async run(client) {
        const { post, expect } = client
        expect.answer(await post(pathOf(client, 'v2'), autoscaler()), 201, {
          spec: { minReplicas: 1, metrics: [cpu(80)] },
          status: { desiredReplicas: 0, currentMetrics: null },
        })
      },
    },
    {
      name: 'the target of v1 is a metric in v2',
      source: conversion,
      async run(client) {
        const { post, read, expect } = client
        const body = autoscaler({ targetCPUUtilizationPercentage: 60 })
        expect.answer(await post(pathOf(client, 'v1'), body), 201, {
          apiVersion: 'autoscaling/v1',
          spec: { minReplicas: 1, targetCPUUtilizationPercentage: 60 },
          status: { currentReplicas: 0, desiredReplicas: 0 },
        })
        expect.has(await read(pathOf(client, 'v2', 'a')), {
          apiVersion: 'autoscaling/v2',
          spec: { metrics: [cpu(60)], targetCPUUtilizationPercentage: undefined },
        })
      },
    },
    {
      name: 'fields that v1 does not have are in its annotations, and survive its patches',
      source: conversion,
      async run(client) {
        const { post, patch, read, expect } = client
        const pods = { metric: { name: 'qps' }, target: { type: 'AverageValue', averageValue: '5' } }
        const behavior = { scaleDown: { stabilizationWindowSeconds: 5 } }
        await post(pathOf(client, 'v2'), autoscaler({ metrics: [{ type: 'Pods', pods }, cpu(50)], behavior }))
        const body = { spec: { targetCPUUtilizationPercentage: 70 } }
        expect.answer(await patch(pathOf(client, 'v1', 'a'), 'merge', body), 200, {
          metadata: {
            annotations: {
              'autoscaling.alpha.kubernetes.io/metrics':
                '[{"type":"Pods","pods":{"metricName":"qps","targetAverageValue":"5"}}]',
              'autoscaling.alpha.kubernetes.io/behavior': /"ScaleDown":\{"StabilizationWindowSeconds":5,/,
            },
          },
        })
        expect.has(await read(pathOf(client, 'v2', 'a')), {
          metadata: { annotations: undefined },
          spec: { metrics: [{ type: 'Pods', pods }, cpu(70)], behavior },
        })
      },
    },
    {
      name: 'an existing behavior gets its defaults',
      source: defaults,
      async run(client) {
        const { post, expect } = client
        const body = autoscaler({ behavior: { scaleUp: { selectPolicy: 'Min' } } })
        const percent = { type: 'Percent', value: 100, periodSeconds: 15 }
        expect.answer(await post(pathOf(client, 'v2'), body), 201, {
          spec: {
            behavior: {
              scaleUp: {
                selectPolicy: 'Min',
                stabilizationWindowSeconds: 0,
                policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }, percent],
              },
              scaleDown: { selectPolicy: 'Max', policies: [percent], stabilizationWindowSeconds: undefined },
            },
          },
        })
      },
    },
    {
      name: 'an autoscaler needs a target and a maximum',
      source: validation,
      async run(client) {
        const { post, expect } = client
        const body = { metadata: { name: 'a' }, spec: { minReplicas: 2, scaleTargetRef: { name: 'x' } } }
        expect.invalid(await post(pathOf(client, 'v2'), body), {
          group: 'autoscaling',
          kind: 'HorizontalPodAutoscaler',
          name: 'a',
          because: [
            'spec.maxReplicas: Required value: must be set and greater than 0',
            'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
            'spec.scaleTargetRef.kind: Required value',
            'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
          ],
        })
      },
    },
    {
      name: 'the owner of a target in v1 loses it to a writer of metrics in v2',
      source: 'https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management',
      async run(client) {
        const { post, patch, expect } = client
        await post(
          `${pathOf(client, 'v1')}?fieldManager=one`,
          autoscaler({ targetCPUUtilizationPercentage: 60 }),
        )
        const body = { spec: { metrics: [cpu(70)] } }
        const answer = await patch(`${pathOf(client, 'v2', 'a')}?fieldManager=two`, 'merge', body)
        expect.answer(answer, 200, {
          metadata: {
            managedFields: [
              {
                manager: 'one',
                apiVersion: 'autoscaling/v1',
                fieldsV1: {
                  'f:spec': { 'f:maxReplicas': {}, 'f:targetCPUUtilizationPercentage': undefined },
                },
              },
              { manager: 'two', apiVersion: 'autoscaling/v2', fieldsV1: { 'f:spec': { 'f:metrics': {} } } },
            ],
          },
        })
      },
    },
  ],
}
