{{- /* The security context of Rookery's containers: no privileges. */ -}}
{{- define "rookery.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end -}}

{{- define "rookery.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- /* Files that a Rookery container reads, and a folder to write to: (dict "root" $ "part" ... "own" SECRET "config" CONFIGMAP). */ -}}
{{- define "rookery.volumes" -}}
- name: config
  configMap:
    name: {{ .config }}
    items:
      - {key: tenants.yml, path: tenants.yml}
      - {key: {{ .part }}.yml, path: {{ .part }}.yml}
      {{- if ne .part "prepare" }}
      - {key: {{ .part }}.options, path: {{ .part }}.options}
      {{- end }}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- include "rookery.secretSources" . | trim | nindent 6 }}
- name: tmp
  emptyDir: {}
{{- end -}}

{{- /* "true" for uploaded files in a volume. */ -}}
{{- define "rookery.mediaVolume" -}}
{{- if and .Values.media.enabled (not .Values.media.bucket.name) }}true{{ end -}}
{{- end -}}

{{- define "rookery.volumeMounts" -}}
- {name: config, mountPath: /rookery/config, readOnly: true}
- {name: secrets, mountPath: /run/secrets, readOnly: true}
- {name: tmp, mountPath: /tmp}
{{- end -}}

{{- /* The placement of a pod: the service's values, or the values for all pods. */ -}}
{{- define "rookery.placement" -}}
{{- range $key := list "nodeSelector" "tolerations" "affinity" }}
{{- with default (index $.root.Values.pods $key) (index $.service $key) }}
{{ $key }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- with .root.Values.pods.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{- define "rookery.spread" -}}
{{- if .root.Values.pods.topologySpread }}
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "rookery.selector" $ | nindent 8 }}
  {{- end }}
{{- end }}
{{- end -}}

{{- /* JVM flags, which override the image's. The agent for traces loads more classes, so the heap is smaller with it. */ -}}
{{- define "rookery.flags" -}}
{{- if .root.Values.traces.endpoint -}}
-XX:MaxMetaspaceSize=160m -XX:MaxRAMPercentage=41 -javaagent:/rookery/opentelemetry-javaagent.jar
{{- end }} {{ default .root.Values.pods.javaOptions .service.javaOptions }}
{{- end -}}

{{- /* Pods of services get the flags in a file behind the image's flags, jobs in the environment. */ -}}
{{- define "rookery.env" -}}
{{- $flags := ternary "" (include "rookery.flags" . | trim) (hasKey . "flagsInFile") -}}
{{- $extra := concat .root.Values.pods.extraEnv (default list .service.extraEnv) -}}
{{- $traces := .root.Values.traces.endpoint -}}
{{- if or $flags $extra $traces }}
env:
  {{- with $flags }}
  - {name: JAVA_TOOL_OPTIONS, value: {{ . | quote }}}
  {{- end }}
  {{- with $traces }}
  - {name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ . | quote }}}
  {{- end }}
  {{- with $extra }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}
{{- end -}}

{{- /* Serves until DNS and load balancers have removed the pod. Kubernetes 1.30 and later sleep themselves; earlier versions run the image's sleep. */ -}}
{{- define "rookery.preStop" -}}
{{- if semverCompare ">=1.30.0-0" .Capabilities.KubeVersion.Version -}}
sleep: {seconds: {{ .Values.drain.preStopSeconds }}}
{{- else -}}
exec: {command: [sleep, {{ .Values.drain.preStopSeconds | quote }}]}
{{- end -}}
{{- end -}}
