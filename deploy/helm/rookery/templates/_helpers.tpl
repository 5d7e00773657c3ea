{{- /* Kubernetes limits names to 63 characters, and suffixes add up to 28 to this name. */ -}}
{{- define "rookery.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 35 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 35 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 35 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- /* The selector labels of one part: (dict "root" $ "part" "sync-service"). Constant, because a Deployment's selector is immutable. */ -}}
{{- define "rookery.selector" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride | trunc 63 }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end -}}

{{- define "rookery.labels" -}}
{{ include "rookery.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "rookery.image" -}}
{{- $image := .root.Values.image -}}
{{- with $image.registry }}{{ . }}/{{ end }}{{ $image.repository }}/{{ .part }}:{{ default .root.Chart.AppVersion $image.tag }}
{{- end -}}

{{- define "rookery.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{- /* Whether the cluster, or the value apiVersions, has an API version: (list $ "policy/v1"). */ -}}
{{- define "rookery.knows" -}}
{{- $root := first . -}}
{{- if or ($root.Capabilities.APIVersions.Has (last .)) (has (last .) $root.Values.apiVersions) }}yes{{ end -}}
{{- end -}}

{{- define "rookery.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "rookery.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- /*
The calls, servers and sealed data of each part. Instances that share work query each other's readiness. Network policies forbid all
other connections.
*/ -}}
{{- define "rookery.arrows" -}}
gateway: {calls: [auth-service, room-service, sync-service, directory-service, push-service, admin-service], uses: [redis], seals: []}
auth-service: {calls: [gateway, room-service, sync-service, push-service, admin-service], uses: [postgresql, kafka, redis], seals: [records, auth-service]}
room-service: {calls: [auth-service, room-service, directory-service, push-service, admin-service], uses: [postgresql, kafka], seals: [records, tokens]}
sync-service: {calls: [auth-service, room-service, push-service, admin-service], uses: [postgresql, kafka], seals: [records, tokens]}
directory-service: {calls: [auth-service, room-service, directory-service, admin-service], uses: [postgresql, kafka], seals: [records]}
push-service: {calls: [auth-service, room-service, push-service, admin-service], uses: [postgresql, kafka], seals: [records]}
admin-service: {calls: [auth-service, room-service, sync-service, directory-service, push-service], uses: [postgresql], seals: [admin-service]}
{{- end -}}

{{- define "rookery.postgresqlHost" -}}
{{- if .Values.builtin.enabled }}{{ include "rookery.fullname" . }}-postgresql{{ else }}{{ .Values.postgresql.host }}{{ end -}}
{{- end -}}

{{- define "rookery.postgresqlPort" -}}
{{- if .Values.builtin.enabled }}5432{{ else }}{{ .Values.postgresql.port }}{{ end -}}
{{- end -}}

{{- define "rookery.kafkaServers" -}}
{{- if .Values.builtin.enabled }}{{ include "rookery.fullname" . }}-kafka:9092{{ else }}{{ .Values.kafka.bootstrapServers }}{{ end -}}
{{- end -}}

{{- /* Settings of all Kafka clients without the login, as YAML. */ -}}
{{- define "rookery.kafkaClient" -}}
{{- $kafka := .Values.kafka -}}
{{- $client := dict "security.protocol" "SASL_PLAINTEXT" "sasl.mechanism" "PLAIN" -}}
{{- if not .Values.builtin.enabled -}}
{{- $client = dict "security.protocol" $kafka.securityProtocol -}}
{{- if hasPrefix "SASL" $kafka.securityProtocol }}{{ $_ := set $client "sasl.mechanism" $kafka.saslMechanism }}{{ end -}}
{{- $client = merge (deepCopy $kafka.properties) $client -}}
{{- end -}}
{{- toYaml $client -}}
{{- end -}}

{{- /* Whether Kafka clients log in. */ -}}
{{- define "rookery.kafkaLogin" -}}
{{- if or .Values.builtin.enabled (hasPrefix "SASL" .Values.kafka.securityProtocol) }}yes{{ end -}}
{{- end -}}

{{- /* Fails without the addresses of PostgreSQL, Kafka and Redis, and without tenants. */ -}}
{{- define "rookery.required" -}}
{{- $hint := "or try Rookery out with builtin.enabled=true (values-try.yaml)" -}}
{{- if not .Values.tenants }}{{ fail "tenants is empty: name at least one, such as {id: 1, serverName: chat.example, hosts: [chat.example]}" }}{{ end -}}
{{- $ids := dict -}}
{{- $serverNames := dict -}}
{{- $hosts := dict -}}
{{- range .Values.tenants -}}
{{- $id := toString (int .id) -}}
{{- if hasKey $ids $id }}{{ fail (printf "tenants: %s and %s have the same id %s: give each the number that it has in the data" (get $ids $id) .serverName $id) }}{{ end -}}
{{- if hasKey $serverNames .serverName }}{{ fail (printf "tenants: %s is there twice, with the ids %s and %s: leave the one that it has in the data" .serverName (get $serverNames .serverName) $id) }}{{ end -}}
{{- $_ := set $ids $id .serverName -}}
{{- $_ := set $serverNames .serverName $id -}}
{{- $serverName := .serverName -}}
{{- range .hosts -}}
{{- $host := lower . -}}
{{- if hasKey $hosts $host }}{{ fail (printf "tenants: the host %s is there twice, at %s and %s: a host leads to one tenant" $host (get $hosts $host) $serverName) }}{{ end -}}
{{- $_ := set $hosts $host $serverName -}}
{{- end -}}
{{- end -}}
{{- if not .Values.builtin.enabled -}}
{{- if not .Values.postgresql.host }}{{ fail (printf "postgresql.host is empty: say where your PostgreSQL is, %s" $hint) }}{{ end -}}
{{- if not .Values.kafka.bootstrapServers }}{{ fail (printf "kafka.bootstrapServers is empty: say where your Kafka is, %s" $hint) }}{{ end -}}
{{- if not (or .Values.redis.host .Values.redis.existingSecret) }}{{ fail (printf "redis.host and redis.existingSecret are empty: say where your Redis is, %s" $hint) }}{{ end -}}
{{- $admin := .Values.postgresql.admin -}}
{{- if and .Values.prepare.enabled (not (or $admin.password $admin.existingSecret)) }}{{ fail "postgresql.admin has neither password nor existingSecret: the job that makes roles and schemas needs one; or set prepare.enabled=false and make them yourself" }}{{ end -}}
{{- if and (include "rookery.kafkaLogin" .) (not .Values.kafka.existingSecret) }}{{ fail (printf "kafka.existingSecret is empty: with kafka.securityProtocol %s each service needs its login from there (keys kafka-jaas-auth-service and so on)" .Values.kafka.securityProtocol) }}{{ end -}}
{{- end -}}
{{- end -}}
