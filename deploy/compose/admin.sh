#!/bin/sh
# In the image "prepare": the commands of deploy/admin, for the operators' API that ROOKERY_OPERATOR_URL names.
exec java -Duser.language=en -Drookery.log.file=/dev/null -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx48m -XX:MaxDirectMemorySize=16m \
    -cp "/rookery/admin.jar:/rookery/lib/*" rookery.standalone.OperatorApplication "$@"
