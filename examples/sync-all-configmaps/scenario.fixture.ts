import { configMaps } from 'vcluster-plugin-sdk'
import type { Scenario } from 'vcluster-plugin-sdk/testing'
import { register } from './register.js'

const key = { namespace: 'default', name: 'greeting' }
const hostKey = { namespace: 'vcluster-vc', name: 'greeting-x-default-x-vc' }
const greeting = { metadata: key, data: { text: 'hi' } }
const merge = (data: object) => ({ type: 'merge', body: { data } }) as const

/** What happens to ConfigMaps and their copies, for the crash kit. */
export const scenario: Scenario = {
  register: (plugin, ctx) => register(plugin, ctx),
  before: ({ host }) =>
    host.create(configMaps, {
      metadata: { namespace: 'vcluster-vc', name: 'taken-x-default-x-vc' },
      data: { mine: 'yes' },
    }),
  steps: {
    'a ConfigMap is made': ({ virtual }) => virtual.create(configMaps, greeting),
    'one is made whose copy’s name is taken': ({ virtual }) =>
      virtual.create(configMaps, { metadata: { namespace: 'default', name: 'taken' } }),
    'its text changes': ({ virtual }) => virtual.patch(configMaps, key, merge({ text: 'bye' })),
    'someone edits the copy': ({ host }) => host.patch(configMaps, hostKey, merge({ text: 'edited' })),
    'someone deletes the copy': ({ host }) => host.delete(configMaps, hostKey),
    'it is deleted and made anew': async ({ virtual }) => {
      await virtual.delete(configMaps, key)
      await virtual.create(configMaps, { ...greeting, immutable: true })
    },
    'it goes': ({ virtual }) => virtual.delete(configMaps, key),
  },
}
