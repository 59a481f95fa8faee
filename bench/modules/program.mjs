// The program of the benchmark of Modules: an install applies two objects and stores a checkpoint.
const object = (kind, apiVersion, name) => ({ apiVersion, kind, metadata: { name, namespace: 'default' } })

export const newManager = ({ cluster, module }) => ({
  async install(ctx, metaData) {
    const objects = [object('Deployment', 'apps/v1', module.name), object('Service', 'v1', module.name)]
    await cluster.apply(objects, { signal: ctx.signal })
    metaData.set('installed', { name: module.name })
    await metaData.save()
  },
  uninstall() {},
  sleep() {},
  resume(_ctx, metaData) {
    metaData.set('pid', process.pid)
  },
  check: () => true,
})
