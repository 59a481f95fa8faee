import type { CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'

const conversion = 'k8s.io/kubernetes pkg/apis/events/v1/conversion.go @ v1.36.3'
const validation = 'k8s.io/kubernetes pkg/apis/core/validation/events.go @ v1.36.3'

const eventsPath = ({ namespace }: CaseClient, name = '') =>
  `/apis/events.k8s.io/v1/namespaces/${namespace}/events${name === '' ? '' : `/${name}`}`

/** A valid Event of `events.k8s.io/v1`. */
function newEvent({ namespace }: CaseClient, more: object = {}) {
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'a' },
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'x.example/controller',
    reportingInstance: 'one',
    action: 'Act',
    reason: 'Reason',
    type: 'Normal',
    regarding: { kind: 'Pod', namespace, name: 'p' },
    note: 'what happened',
    ...more,
  }
}

/** Events, which are the same in two groups. */
export const events: CaseGroup = {
  name: 'events',
  cases: [
    {
      name: 'an Event of events.k8s.io is also one of the core group',
      source: conversion,
      async run(client) {
        client.expect.answer(await client.post(eventsPath(client), newEvent(client)), 201)
        client.expect.has(await client.read('events/a'), {
          apiVersion: 'v1',
          involvedObject: { kind: 'Pod', name: 'p' },
          message: 'what happened',
          reportingComponent: 'x.example/controller',
          source: {},
          firstTimestamp: null,
          regarding: undefined,
          note: undefined,
        })
      },
    },
    {
      name: 'an Event of the core group is also one of events.k8s.io',
      source: conversion,
      async run(client) {
        const { namespace, make, read, expect } = client
        await make('events', {
          metadata: { name: 'a' },
          involvedObject: { kind: 'Pod', namespace, name: 'p' },
          message: 'what happened',
          source: { component: 'c', host: 'h' },
          firstTimestamp: '2026-01-01T00:00:00Z',
          count: 3,
        })
        expect.has(await read(eventsPath(client, 'a')), {
          apiVersion: 'events.k8s.io/v1',
          regarding: { kind: 'Pod', namespace, name: 'p' },
          note: 'what happened',
          deprecatedSource: { component: 'c', host: 'h' },
          deprecatedFirstTimestamp: '2026-01-01T00:00:00Z',
          deprecatedLastTimestamp: null,
          deprecatedCount: 3,
          eventTime: null,
          reportingController: undefined,
          message: undefined,
        })
      },
    },
    {
      name: 'both groups watch the same Events, each in its format',
      source: conversion,
      async run(client) {
        const { post, watch, expect } = client
        const streams = [await watch('events'), await watch(eventsPath(client))]
        await post(eventsPath(client), newEvent(client))
        const [core, other] = await Promise.all(streams.map((stream) => stream.next()))
        expect.has(core, { type: 'ADDED', object: { apiVersion: 'v1', message: 'what happened' } })
        expect.has(other, {
          type: 'ADDED',
          object: { apiVersion: 'events.k8s.io/v1', note: 'what happened' },
        })
      },
    },
    {
      name: 'field selectors use the names of their group',
      source: conversion,
      async run(client) {
        const { post, get, expect } = client
        await post(eventsPath(client), newEvent(client))
        const items = [{ metadata: { name: 'a' } }]
        const found = await get(
          `${eventsPath(client)}?fieldSelector=regarding.name=p,reportingController=x.example/controller`,
        )
        expect.answer(found, 200, { kind: 'EventList', apiVersion: 'events.k8s.io/v1', items })
        expect.answer(await get('events?fieldSelector=involvedObject.name=p'), 200, { items })
        expect.refused(await get(`${eventsPath(client)}?fieldSelector=involvedObject.name=p`), {
          code: 400,
          reason: 'BadRequest',
          message: 'field label not supported: involvedObject.name',
        })
      },
    },
    {
      name: 'an Event of events.k8s.io has an eventTime, and no deprecated fields',
      source: validation,
      async run(client) {
        const { namespace, post, expect } = client
        const body = {
          metadata: { name: 'a' },
          regarding: { kind: 'Pod', namespace, name: 'p' },
          deprecatedCount: 1,
        }
        expect.invalid(await post(eventsPath(client), body), {
          kind: 'Event',
          name: 'a',
          because: [
            'eventTime: Required value',
            'type: Invalid value: "": has invalid value: ',
            'count: Invalid value: "": needs to be unset',
          ],
        })
      },
    },
    {
      name: 'an Event of events.k8s.io is immutable except for its series',
      source: validation,
      async run(client) {
        const { post, patch, expect } = client
        await post(eventsPath(client), newEvent(client))
        const series = { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' }
        expect.answer(await patch(eventsPath(client, 'a'), 'merge', { series }), 200, { series })
        expect.invalid(await patch(eventsPath(client, 'a'), 'merge', { note: 'other', action: null }), {
          kind: 'Event',
          name: 'a',
          because: [
            'action: Required value',
            'message: Invalid value: "other": field is immutable',
            'action: Invalid value: "": field is immutable',
          ],
        })
      },
    },
    {
      name: 'the series of an Event is in both groups, and changes nothing else of it',
      source: conversion,
      async run(client) {
        const { post, patch, read, expect } = client
        await post(eventsPath(client), newEvent(client))
        const series = { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' }
        await patch(eventsPath(client, 'a'), 'merge', { series })
        expect.has(await read('events/a'), {
          series,
          eventTime: '2026-01-01T00:00:00.000000Z',
          count: undefined,
          lastTimestamp: null,
        })
        const once = { ...series, count: 1 }
        expect.invalid(await patch(eventsPath(client, 'a'), 'merge', { series: once }), {
          kind: 'Event',
          name: 'a',
          because: ['series.count: Invalid value: "": should be at least 2'],
        })
      },
    },
    {
      name: 'an Event may begin with a series, and its reporter is named like a label',
      source: validation,
      async run(client) {
        const { post, expect } = client
        const series = { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' }
        expect.answer(await post(eventsPath(client), newEvent(client, { series })), 201, { series })
        const reportingController = 'a'.repeat(64)
        expect.invalid(
          await post(eventsPath(client), newEvent(client, { metadata: { name: 'b' }, reportingController })),
          {
            kind: 'Event',
            name: 'b',
            because: [
              `reportingController: Invalid value: "${reportingController}": name part must be no more than 63 bytes`,
            ],
          },
        )
      },
    },
    {
      name: 'an Event of the core group is mutable',
      source: validation,
      async run(client) {
        const { post, patch, expect } = client
        await post(eventsPath(client), newEvent(client))
        expect.answer(await patch('events/a', 'strategic', { message: 'other' }), 200, { message: 'other' })
      },
    },
    {
      name: 'a limit counts also for any version of Events, which are not cached',
      source:
        'k8s.io/kubernetes pkg/kubeapiserver/default_storage_factory_builder.go @ v1.36.3, watch cache sizes',
      async run(client) {
        const { post, expect, namespace } = client
        for (const name of ['a', 'b'])
          await post(eventsPath(client), newEvent(client, { metadata: { name } }))
        for (const path of [eventsPath(client), `/api/v1/namespaces/${namespace}/events`]) {
          const answer = await client.get(`${path}?limit=1&resourceVersion=0`)
          expect.answer(answer, 200, { items: [{ metadata: { name: 'a' } }], metadata: { continue: /.+/ } })
        }
      },
    },
    {
      name: 'an Event of the other group is rejected',
      source: 'k8s.io/apiserver pkg/endpoints/handlers/create.go @ v0.36.3',
      async run(client) {
        const { post, expect } = client
        expect.refused(await post('events', newEvent(client)), {
          code: 400,
          reason: 'BadRequest',
          message:
            'the API version in the data (events.k8s.io/v1) does not match the expected API version (v1)',
        })
      },
    },
    {
      name: 'an applied Event is owned by its applier',
      source: 'https://kubernetes.io/docs/reference/using-api/server-side-apply/',
      async run(client) {
        const answer = await client.patch(
          `${eventsPath(client, 'a')}?fieldManager=tester`,
          'apply',
          newEvent(client),
        )
        client.expect.answer(answer, 201, {
          note: 'what happened',
          metadata: { managedFields: [{ manager: 'tester', apiVersion: 'events.k8s.io/v1' }] },
        })
      },
    },
  ],
}
