# The image of a plugin: by default the example's, as a sidecar of the vcluster.
#
#   docker build -t sync-all-configmaps:dev .
#   docker build -t my-plugin:dev --build-arg PLUGIN_ENTRY=path/to/main.ts .
#   docker build -t memcached:dev --build-arg PLUGIN_ENTRY=examples/memcached-helm/main.ts \
#     --build-arg PLUGIN_FILES='watches.yaml charts crds' .
#
# Targets: sidecar (the default, the last one here), in-syncer (for a plugin that runs inside vcluster's own container:
# `docker build --target in-syncer ...`) and dev (what devspace.yaml runs).

# The one base of all stages; Debian's slim image has the C library that npm's ready-made binaries are built for.
ARG NODE_IMAGE=node:24-slim
# What the in-syncer image needs beside the plugin: a shell and `cp`.
ARG COPY_IMAGE=busybox:1.37
# What builds Helm's template engine, which the clone does not contain.
ARG GO_IMAGE=golang:1.26-bookworm

# Every package of the lockfile. Only a change to these files makes this stage run again.
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund

# The Node of the machine that builds, which may be another platform than that of the image.
FROM --platform=${BUILDPLATFORM} ${NODE_IMAGE} AS builder-node

# Helm's template engine as WebAssembly, for programs that render charts. Only a change to its sources makes this stage run again.
# The engine is the same for every platform.
FROM --platform=${BUILDPLATFORM} ${GO_IMAGE} AS helm-engine
COPY --from=builder-node /usr/local/bin/node /usr/local/bin/node
COPY scripts/helm-engine /app/scripts/helm-engine
RUN mkdir -p /app/sdk/helm/render/engine && /app/scripts/helm-engine/build

# The whole project with its packages, to work in: `npm run plugin` starts the plugin from its sources.
FROM packages AS dev
COPY . .
COPY --from=helm-engine /app/sdk/helm/render/engine ./sdk/helm/render/engine
CMD ["sleep", "infinity"]

# The plugin and all it imports in one folder, with the files that it reads, which are named relative to the folder of its program.
FROM packages AS bundle
COPY . .
COPY --from=helm-engine /app/sdk/helm/render/engine ./sdk/helm/render/engine
ARG PLUGIN_ENTRY=examples/sync-all-configmaps/main.ts
RUN node bin/vcluster-plugin.js bundle "$PLUGIN_ENTRY" /plugin/main.mjs --require-engine --compile-cache 1000
ARG PLUGIN_FILES=
RUN for file in $PLUGIN_FILES; do cp -r "$(dirname "$PLUGIN_ENTRY")/$file" /plugin/; done

# The same with a Node that needs nothing of the image it runs in, and the program `plugin` that vcluster starts.
FROM bundle AS in-syncer-files
RUN node bin/vcluster-plugin.js runtime /plugin

# An init container copies /plugin to where vcluster looks for plugins; nothing runs in this image but that copy.
FROM ${COPY_IMAGE} AS in-syncer
COPY --from=in-syncer-files /plugin /plugin
USER 1000:1000
# For who tries the copy by hand; the chart gives its own command.
CMD ["sh", "-c", "rm -rf /plugins/plugin && cp -r /plugin /plugins/plugin"]

# What runs beside the vcluster: Node and that folder. Nothing is written to the file system, so it may be read-only.
FROM ${NODE_IMAGE} AS sidecar
ENV NODE_ENV=production
# Large buffers go back to the system as soon as they are freed (docs/adr/0023).
ENV MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
# The bundle's compiled code, for a faster start. Only root may write it, so the plugin cannot change its own code.
ENV NODE_COMPILE_CACHE=/plugin/parts/main/compile-cache
COPY --from=bundle /plugin /plugin
# In numbers, because `runAsNonRoot` cannot check a name; 1000 is the base image's user `node`.
USER 1000:1000
# Without a shell in between, so that Kubernetes' SIGTERM reaches the plugin and it can stop well. Small semi-spaces cost
# hardly any time and save a third of the memory (docs/adr/0023).
ENTRYPOINT ["node", "--max-semi-space-size=8", "/plugin/main.mjs"]
