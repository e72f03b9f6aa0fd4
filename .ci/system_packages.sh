#!/usr/bin/env bash
# Look for Apertium (English-Spanish), and install it if that needs no password. Print what is
# missing and continue without it. (On a CI machine tests then fail.)
set -u

apertium_works() { command -v apertium >/dev/null && apertium -l 2>/dev/null | grep -qw eng-spa; }

# No step can hang: no questions, short network timeouts, and a limit on the total time.
apt() {
    local as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo -n)
    timeout --kill-after=10 "$1" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -y -o Acquire::http::Timeout=15 -o Acquire::https::Timeout=15 \
        -o Acquire::Retries=1 -o DPkg::Lock::Timeout=30 "${@:2}" </dev/null >&2
}

may_install() {
    command -v apt-get >/dev/null || return 1
    [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null
}

missing=()
apertium_works || missing+=(apertium apertium-eng-spa)

if [ ${#missing[@]} -gt 0 ] && may_install; then
    echo "Installing Debian packages: ${missing[*]}" >&2
    apt 300 install --no-install-recommends "${missing[@]}" ||
        { apt 120 update && apt 300 install --no-install-recommends "${missing[@]}"; } ||
        echo "apt-get could not install them." >&2
fi

apertium_works ||
    echo "Not available: pivot paraphrases (Apertium is not installed; Debian: apt install apertium apertium-eng-spa)."
exit 0
