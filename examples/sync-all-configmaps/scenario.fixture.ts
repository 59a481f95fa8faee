import { configMaps } from 'vcluster-plugin-sdk'
import type { Scenario } from 'vcluster-plugin-sdk/testing'
import { register } from './register.js'

const key = { namespace: 'default', name: 'greeting' }
const hostKey = { namespace: 'vcluster-vc', name: 'greeting-x-default-x-vc' }
const greeting = { metadata: key, data: { text: 'hi' } }
const merge = (data: object) => ({ type: 'merge', body: { data } }) as const

/** The steps of the crash test: changes of ConfigMaps and their copies. */
export const scenario: Scenario = {
  register: (plugin, ctx) => register(plugin, ctx),
  before: ({ host }) =>
    host.create(configMaps, {
      metadata: { namespace: 'vcluster-vc', name: 'taken-x-default-x-vc' },
      data: { mine: 'yes' },
    }),
  steps: {
    'a ConfigMap is created': ({ virtual }) => virtual.create(configMaps, greeting),
    'one is created whose copy has a name conflict': ({ virtual }) =>
      virtual.create(configMaps, { metadata: { namespace: 'default', name: 'taken' } }),
    'its text changes': ({ virtual }) => virtual.patch(configMaps, key, merge({ text: 'bye' })),
    'a user edits the copy': ({ host }) => host.patch(configMaps, hostKey, merge({ text: 'edited' })),
    'a user deletes the copy': ({ host }) => host.delete(configMaps, hostKey),
    'it is deleted and recreated': async ({ virtual }) => {
      await virtual.delete(configMaps, key)
      await virtual.create(configMaps, { ...greeting, immutable: true })
    },
    'it goes': ({ virtual }) => virtual.delete(configMaps, key),
  },
}
