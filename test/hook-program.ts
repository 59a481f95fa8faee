/** A plugin with one hook for each kind of behaviour. */
export const hookProgram = `import { ClientHook, configMaps, HookDenialError, plugin } from 'vcluster-plugin-sdk'

class Keep extends ClientHook {
  mutateCreatePhysical(_, object) {
    return { ...object, metadata: { ...object.metadata, labels: { hooked: 'yes' } } }
  }

  mutateDeletePhysical() {
    throw new HookDenialError('keep it: not this one')
  }

  async mutateUpdatePhysical(ctx) {
    await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))
    console.log('slow hook given up')
  }

  mutateGetPhysical(ctx) {
    process.stdout.write('raw: process ' + process.pid + '\\n')
    ctx.logger.info({ long: 'x'.repeat(200_000) }, 'a long line')
  }

  mutateGetVirtual() {
    process.exit(7)
  }
}

await plugin.init()
plugin.register(new Keep('keep', configMaps))
await plugin.start()
`

/** A request of a vcluster process to the hook. */
export const asked = (type: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  object: '{"metadata":{"name":"a"}}',
  type,
})
