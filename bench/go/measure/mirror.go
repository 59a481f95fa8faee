package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Mirror is a program that copies every ConfigMap of the virtual cluster into one host namespace.
type Mirror struct {
	Name    string
	Command []string
	Sidecar bool   // asks a vcluster process where to work, instead of the environment
	Log     string // file that gets what the program prints
}

// Process is one run of a mirror.
type Process struct {
	command *exec.Cmd
	Started time.Time
	exited  chan struct{}
}

func (m Mirror) Start(dir string, w *Workplace) (*Process, error) {
	for file, content := range map[string][]byte{"virtual.yaml": w.VirtualKubeconfig, "host.yaml": w.HostKubeconfig} {
		if err := os.WriteFile(filepath.Join(dir, file), content, 0o600); err != nil {
			return nil, err
		}
	}
	log, err := os.OpenFile(m.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	command := exec.Command(m.Command[0], m.Command[1:]...)
	command.Stdout, command.Stderr = log, log
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	command.Env = append(os.Environ(), m.environment(dir, w)...)
	p := &Process{command: command, Started: time.Now(), exited: make(chan struct{})}
	if err := command.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = command.Wait()
		close(p.exited)
	}()
	return p, nil
}

func (m Mirror) environment(dir string, w *Workplace) []string {
	if m.Sidecar {
		return []string{
			"VCLUSTER_PLUGIN_NAME=" + m.Name,
			"VCLUSTER_PLUGIN_ADDRESS=localhost:14000",
			"VCLUSTER_LISTEN_ADDRESS=" + w.SidecarAddress,
		}
	}
	return []string{
		"VIRTUAL_KUBECONFIG=" + filepath.Join(dir, "virtual.yaml"),
		"HOST_KUBECONFIG=" + filepath.Join(dir, "host.yaml"),
		"TARGET_NAMESPACE=" + w.TargetNamespace,
		"VCLUSTER_NAME=" + w.Name,
	}
}

// Alive is false once the program has ended by itself.
func (p *Process) Alive() bool {
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

// Stop asks the program to end and makes it after ten seconds.
func (p *Process) Stop() {
	_ = p.command.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.exited:
	case <-time.After(10 * time.Second):
		p.Kill()
	}
}

// Kill ends the program without its having a say.
func (p *Process) Kill() {
	_ = p.command.Process.Kill()
	<-p.exited
}

// Usage is what the program has taken from the machine so far.
type Usage struct {
	RSS, PeakRSS float64 // MiB
	CPU          float64 // seconds, user and system
}

func (p *Process) Usage() (Usage, error) {
	var usage Usage
	proc := fmt.Sprintf("/proc/%d/", p.command.Process.Pid)
	status, err := os.ReadFile(proc + "status")
	if err != nil {
		return usage, err
	}
	for line := range strings.Lines(string(status)) {
		fields := strings.Fields(line)
		switch fields[0] {
		case "VmRSS:":
			usage.RSS = mebibytes(fields[1])
		case "VmHWM:":
			usage.PeakRSS = mebibytes(fields[1])
		}
	}
	stat, err := os.ReadFile(proc + "stat")
	if err != nil {
		return usage, err
	}
	// The second field is the program's name in parentheses and may hold spaces.
	fields := strings.Fields(string(stat[strings.LastIndex(string(stat), ")")+1:]))
	const user, system, ticksPerSecond = 11, 12, 100
	for _, field := range []string{fields[user], fields[system]} {
		ticks, _ := strconv.ParseFloat(field, 64)
		usage.CPU += ticks / ticksPerSecond
	}
	return usage, nil
}

func mebibytes(kilobytes string) float64 {
	n, _ := strconv.ParseFloat(kilobytes, 64)
	return n / 1024
}
