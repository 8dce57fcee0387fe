# Sourced by the scripts of this repository (bash). Starts no process on its way to a JDK that is where one looks first.

# find_jdk: sets jdk_home to a JDK of 17 or later and jdk_version to its full version; fails where there is none.
# Order: JAVA_HOME, the java of PATH, /usr/lib/jvm (17 first, for that is what the archive of classes is tried on).
find_jdk() {
  local candidate java
  if [[ -n ${JAVA_HOME:-} ]] && is_jdk "$JAVA_HOME"; then return 0; fi
  if java=$(type -P java); then
    for candidate in /usr/lib/jvm/*; do
      if [[ $java -ef $candidate/bin/java ]] && is_jdk "$candidate"; then return 0; fi
    done
    candidate=$(readlink -f "$java") && is_jdk "${candidate%/bin/java}" && return 0
  fi
  for candidate in /usr/lib/jvm/*17* /usr/lib/jvm/* /opt/java/* /opt/jdk*; do
    if is_jdk "$candidate"; then return 0; fi
  done
  return 1
}

# is_jdk FOLDER: a JDK (not a bare runtime) of 17 or later, by its release file.
is_jdk() {
  local line version='' full=''
  [[ -x $1/bin/javac && -r $1/release ]] || return 1
  while IFS= read -r line; do
    case $line in
      JAVA_VERSION=*) version=${line#*=}; version=${version//\"/} ;;
      JAVA_RUNTIME_VERSION=*) full=${line#*=}; full=${full//\"/} ;;
    esac
  done < "$1/release"
  [[ ${version%%.*} =~ ^[0-9]+$ && ${version%%.*} -ge 17 ]] || return 1
  jdk_home=$1
  jdk_version=${full:-$version}
}

# obtain WHAT PACKAGE...: installs Debian packages where that is possible without asking; else says how, and fails.
obtain() {
  local what=$1
  shift
  if [[ $(id -u) = 0 ]] && type -P apt-get > /dev/null; then
    echo "incumbent: installing $what" >&2
    apt_install "$@" && return 0
  fi
  echo "incumbent: $what is missing; on Debian or Ubuntu: apt-get install $*" >&2
  return 1
}

apt_install() {
  local log
  log=$(mktemp)
  if DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" < /dev/null > "$log" 2>&1 ||
    { apt-get update < /dev/null >> "$log" 2>&1 &&
      DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" < /dev/null >> "$log" 2>&1; }; then
    rm -f "$log"
    return 0
  fi
  tail -5 "$log" >&2
  rm -f "$log"
  return 1
}

obtain_jdk() { find_jdk || { obtain 'a JDK of 17 or later' openjdk-17-jdk-headless && find_jdk; }; }
obtain_maven() { type -P mvn > /dev/null || obtain Maven maven; }
obtain_compiler() { type -P "${CC:-cc}" > /dev/null || obtain 'a C compiler' gcc libc6-dev; }
