/*
 * A thread that waits for a block, and pieces of its own that others free: src/PixelPool.FixedBlocks, FixedSizeHeap.AllocateSlowly, ThreadHeap.BeginWait and Push.
 *
 * The budget has no room. The thread wants two pieces. Another one frees two of its heap. A third one claims what was freed for the heap, as Trim does and whoever is refused, up to twice. That happens while
 * the thread is outside of its heap: BiasedLock.pml. So claiming and looking are one step each. All that is shared here is changed by interlocked operations.
 *
 * What must hold: the thread gets both (no invalid end state).
 *
 * holds: WAIT
 * fails: LOOK_BEFORE_BEGIN => invalid end state
 * fails: CANCEL_BEFORE_PUSH => invalid end state
 * fails: WITHOUT_CANCEL => invalid end state
 */

/* Pieces that are free in blocks of the heap, and those that others freed. */
byte free, remote;

/* ThreadHeap._wait: whether there is one, and whether it was cancelled. */
bit isSet, isCancelled;

inline claim()
{
	atomic { free = free + remote; remote = 0 }
}

/* TryAllocate */
inline look()
{
	atomic {
		if
		:: free == 0 -> claim()
		:: else
		fi;
		if
		:: free > 0 -> free--; got = 1
		:: else
		fi
	}
}

inline cancel()
{
	atomic {
		if
		:: isSet -> isCancelled = 1
		:: else
		fi
	}
}

active proctype Owner()
{
	byte wanted = 2;
	bit got;

	do
	:: wanted > 0 ->
		look();
		do
		:: got -> break
		:: else ->
			/* BeginWait. Then it looks for the last time. */
			atomic { isSet = 1; isCancelled = 0 }
#ifdef LOOK_BEFORE_BEGIN
			if
			:: remote == 0 -> isCancelled
			:: else
			fi;
			look()
#else
			look();
			if
			:: got
			:: else ->
				isCancelled;
				look()
			fi
#endif
		od;
		isSet = 0;
		got = 0;
		wanted--
	:: else -> break
	od
}

/* ThreadHeap.Push */
active proctype Other()
{
	byte count = 2;

	do
	:: count > 0 ->
#ifdef CANCEL_BEFORE_PUSH
		cancel();
		remote++;
#else
		remote++;
#ifndef WITHOUT_CANCEL
		cancel();
#endif
#endif
		count--
	:: else -> break
	od
}

active proctype Trimmer()
{
	byte passes;

	do
	:: passes < 2 -> claim(); passes++
	:: true -> break
	od
}
