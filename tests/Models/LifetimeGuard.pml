/*
 * References on a rent, and who gives its memory back: src/PixelPool/Lifetime/LifetimeGuard.cs; ending it: MemoryReturn.TryEnd; parking: DepotStripe.Park.
 *
 * One guard, rented again and again, up to RENTS times. Two threads have copies of the handle, keep them as long as they like, also after the end of the rent, and dispose them, make views
 * with them, release these, or forget all of it. When nobody reaches the guard the collector finds it; a finalizer of the application may hand the image to the threads again, while
 * the guard's own finalizer is due.
 *
 * Every operation on the word _state but Open is interlocked, so nothing is reordered here. What else a rent writes, and how it is read: RentFacts.pml.
 *
 * What must hold
 *   - the memory of each rent goes back once: never twice, and when nothing can go on it has gone back;
 *   - it does not go back while anybody has a reference, but by the finalizer, which comes when nobody reaches it;
 *   - a reference is had on the rent that the handle names, and on no later one; a handle is disposed once;
 *   - the finalizer ends the rent that was forgotten, and no later one.
 *
 * holds: RENTS=3
 * fails: RENTS=2 SAME_VERSION => assertion violated
 * fails: RENTS=2 ACQUIRE_WITHOUT_VERSION => assertion violated
 * fails: RENTS=2 ACQUIRE_BY_ADDITION => assertion violated
 * fails: RENTS=1 RELEASE_IN_TWO_STEPS => assertion violated
 * fails: RENTS=1 FAST_RELEASE_OF_THE_LAST => assertion violated
 * fails: RENTS=1 DISPOSE_WITHOUT_OWNER => assertion violated
 * fails: RENTS=1 DISPOSE_IGNORES_OTHERS => assertion violated
 * fails: RENTS=2 PARK_FIRST => assertion violated
 * fails: RENTS=2 PARK_WHATEVER_IS_FINALIZED => assertion violated
 * fails: RENTS=1 FINALIZER_WITHOUT_COMPARISON => assertion violated
 * fails: RENTS=1 WITHOUT_FINALIZER => assertion violated
 */

/* LifetimeGuard._state: version, Owner, number of references. */
byte version, references;
bit owner;

/* What the guard holds: the memory of rent number … It is written before the rent begins. */
byte memory;

/* Where the guard is: with the depot, or not used any more (Retire). Whether its weak handle is cleared (IsFinalizationPending). */
bit isParked = 1, isRetired, isPending;

/* A handle that any thread can copy: the image, in a field of the application. */
bit isHandleThere;
byte handle;

/* A view is forgotten, once, without releasing its reference. */
bit mayForget = 1;

/* From how many threads the guard is reached. */
byte roots;

/* For the properties: rents so far, of each how often its memory went back and its handle was disposed; who holds references on the one that runs. */
byte rents, holders;
byte backs[RENTS + 1], disposals[RENTS + 1];
bit isOwned, isResurrected;
byte forgotten;

/* Volatile.Read(ref _state) */
inline read()
{
	d_step { seenVersion = version; seenOwner = owner; seenReferences = references }
}

#define IS_AS_SEEN (version == seenVersion && owner == seenOwner && references == seenReferences)

/* LifetimeGuard.NextVersion */
#ifdef SAME_VERSION
#define NEXT_VERSION version
#else
#define NEXT_VERSION (version + 1)
#endif

/* LifetimeGuard.GiveBack: the tier takes what the guard holds, and parks it, behind which it may belong to the next rent. */
inline giveBack(byFinalizer)
{
#ifdef PARK_FIRST
	park();
#endif
	d_step {
		assert(byFinalizer || (holders == 0 && !isOwned));
		backs[memory]++;
		assert(backs[memory] == 1)
	}
#ifndef PARK_FIRST
	park();
#endif
}

/* DepotStripe.Park: under the lock of the stripe. */
inline park()
{
	atomic {
		if
#ifdef PARK_WHATEVER_IS_FINALIZED
		:: true -> isParked = 1
#else
		:: !isPending -> isParked = 1
		:: else -> isRetired = 1
#endif
		fi
	}
}

/* TryAcquire and TryAcquireSlowly, for a handle (Owner) or for another reference (Reference). */
inline tryAcquire(asked, needsOwner)
{
	do
	:: true ->
		read();
		if
#ifdef ACQUIRE_WITHOUT_VERSION
		:: seenReferences != 0 && (!needsOwner || seenOwner)
#else
		:: seenVersion == asked && seenReferences != 0 && (!needsOwner || seenOwner)
#endif
		:: else -> break
		fi;
		atomic {
			if
#ifdef ACQUIRE_BY_ADDITION
			:: true ->
#else
			:: IS_AS_SEEN ->
#endif
				references++;
				holders++;
				isHolder = 1;
				assert(asked == version && backs[rents] == 0);
				break
			:: else
			fi
		}
	od;
	forget()
}

inline forget()
{
	d_step { seenVersion = 0; seenOwner = 0; seenReferences = 0 }
}

/* Inside of an atomic sequence: the comparison has succeeded, and the last reference is gone. */
inline endRent()
{
	version = NEXT_VERSION;
	owner = 0;
	references = 0
}

/* TryRelease: first the way on which another one is left, then TryReleaseSlowly. */
inline tryRelease(asked)
{
	isLast = 0;
	read();
	atomic {
		if
#ifdef FAST_RELEASE_OF_THE_LAST
		:: seenVersion == asked && seenReferences != 0 && IS_AS_SEEN ->
#else
		:: seenVersion == asked && seenReferences > 1 && IS_AS_SEEN ->
#endif
			references--;
			holders--;
			isHolder = 0
		:: else
		fi
	}
	do
	:: isHolder ->
		read();
		if
		:: seenVersion == asked && seenReferences != 0
		:: else ->
			/* Only the finalizer may have ended it meanwhile. */
			atomic {
				assert(isResurrected);
				isHolder = 0;
				break
			}
		fi;
#ifdef RELEASE_IN_TWO_STEPS
		atomic {
			if
			:: true ->
				references = seenReferences;
#else
		atomic {
			if
			:: IS_AS_SEEN ->
#endif
				holders--;
				isHolder = 0;
				if
				:: seenReferences == 1 -> endRent(); isLast = 1
				:: else -> references--
				fi
			:: else
			fi
		}
	:: !isHolder -> break
	od;
	forget();
	if
	:: isLast -> isLast = 0; giveBack(0)
	:: else
	fi
}

/* MemoryReturn.TryEnd: TryReleaseLast, then TryReleaseOwner. */
inline tryEnd(asked)
{
	isLast = 0;
	isDone = 0;
	atomic {
		if
#ifdef DISPOSE_IGNORES_OTHERS
		:: version == asked && owner ->
#else
		:: version == asked && owner && references == 1 ->
#endif
			endRent();
			disposed(asked);
			isLast = 1;
			isDone = 1
		:: else
		fi
	}
	do
	:: !isDone ->
		read();
		if
#ifdef DISPOSE_WITHOUT_OWNER
		:: seenVersion == asked && seenReferences != 0
#else
		:: seenVersion == asked && seenOwner
#endif
		:: else -> break
		fi;
		atomic {
			if
			:: IS_AS_SEEN ->
				disposed(asked);
				isDone = 1;
				if
				:: seenReferences == 1 -> endRent(); isLast = 1
				:: else -> owner = 0; references--
				fi
			:: else
			fi
		}
	:: isDone -> break
	od;
	isDone = 0;
	forget();
	if
	:: isLast -> isLast = 0; giveBack(0)
	:: else
	fi
}

inline disposed(asked)
{
	isOwned = 0;
	disposals[rents]++;
	assert(asked + 1 == rents && disposals[rents] == 1)
}

/* Rents whatever is parked. */
active proctype Renter()
{
	byte seen;

end:
	do
	:: atomic {
			isParked && rents < RENTS ->
			assert(!isPending && !isRetired);
			isParked = 0;
			roots++;
			rents++;
			memory = rents
		}
		isOwned = 1;

		/* LifetimeGuard.Open: read, and written without a comparison, because whoever has an older handle fails. */
		seen = version;
		d_step {
			version = seen;
			owner = 1;
			references = 1
		}

		/* The handle, with LifetimeGuard.Version, is given to all. */
		atomic {
			handle = version;
			isHandleThere = 1;
			roots--;
			seen = 0
		}
	od
}

/* The application drops what any thread could have copied. */
active proctype Application()
{
end:
	do
	:: atomic { isHandleThere -> isHandleThere = 0 }
	od
}

active [2] proctype User()
{
	byte mine, seenVersion, seenReferences;
	bit seenOwner, hasHandle, isHolder, isLast, isDone;

end:
	do
	:: atomic { !hasHandle && isHandleThere -> hasHandle = 1; mine = handle; roots++ }
	:: hasHandle && !isHolder -> tryAcquire(mine, 1)
	:: hasHandle && !isHolder -> tryAcquire(mine, 0)
	:: isHolder ->
		/* The memory is used. */
		assert(isResurrected || (backs[rents] == 0 && memory == mine + 1));
		tryRelease(mine)
	:: hasHandle -> tryEnd(mine)
	:: atomic {
			hasHandle && (!isHolder || mayForget) ->
			if
			:: isHolder -> mayForget = 0; isHolder = 0; holders--
			:: else
			fi;
			hasHandle = 0;
			mine = 0;
			roots--
		}
	od
}

/* The collector, and the threads that run finalizers. */
active proctype Finalizers()
{
	byte seenVersion, seenReferences;
	bit seenOwner, isDone;

end:
	atomic {
		roots == 0 && !isHandleThere && !isParked && !isRetired && rents > 0 ->
		isPending = 1;
		forgotten = rents
	}

	/* That of somebody else, who reached the image. */
	if
	:: atomic { isResurrected = 1; isHandleThere = 1 }
	:: true
	fi;

#ifndef WITHOUT_FINALIZER
	/* ~LifetimeGuard: unless it is suppressed meanwhile; also if it is. */
	do
	:: !isDone ->
		read();
		if
		:: seenReferences != 0
		:: else -> break
		fi;
		atomic {
			if
#ifdef FINALIZER_WITHOUT_COMPARISON
			:: true ->
#else
			:: IS_AS_SEEN ->
#endif
				assert(forgotten == rents);
				endRent();
				isOwned = 0;
				isDone = 1
			:: else
			fi
		}
	:: isDone -> giveBack(1); break
	od;
	forget()
#endif
}

/* When nothing else can go on. */
active proctype Result()
{
	byte i = 1;

	timeout;
	do
	:: i <= rents -> assert(backs[i] == 1); i++
	:: else -> break
	od
}
